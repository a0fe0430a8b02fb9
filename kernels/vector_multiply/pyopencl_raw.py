"""OpenCL C, one work-item per element."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("vector_multiply.cl",)


def prepare(case):
    multiply = cl.Kernel(case.artifact("vector_multiply.cl"), f"vector_multiply_{case.dtype}")
    work_items, group, n = (case.blocks() * case.block_size,), (case.block_size,), np.int64(case.size)

    def run(x, y, out):
        multiply(out.queue, work_items, group, n, x.data, y.data, out.data)

    return run
