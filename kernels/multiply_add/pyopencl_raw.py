"""OpenCL C, one work-item per element."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("multiply_add.cl",)


def prepare(case):
    multiply_add = cl.Kernel(case.artifact("multiply_add.cl"), f"multiply_add_{case.dtype}")
    work_items, group, n = (case.blocks() * case.block_size,), (case.block_size,), np.int64(case.size)

    def run(x1, x2, b, out):
        multiply_add(out.queue, work_items, group, n, x1.data, x2.data, b, out.data)

    return run
