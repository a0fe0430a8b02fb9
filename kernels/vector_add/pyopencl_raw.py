"""OpenCL C, one work-item per element."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("vector_add.cl",)


def prepare(case):
    vector_add = cl.Kernel(case.artifact("vector_add.cl"), f"vector_add_{case.dtype}")
    work_items, group, n = (case.blocks() * case.block_size,), (case.block_size,), np.int64(case.size)

    def run(x, y, out):
        vector_add(out.queue, work_items, group, n, x.data, y.data, out.data)

    return run
