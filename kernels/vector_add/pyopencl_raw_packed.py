"""OpenCL C, one work-item per 16 bytes of each vector."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("vector_add_packed.cl",)


def prepare(case):
    vector_add = cl.Kernel(case.artifact("vector_add_packed.cl"), f"vector_add_{case.dtype}")
    group, n = (case.block_size,), np.int64(case.size)
    work_items = (case.blocks(16 // case.itemsize) * case.block_size,)

    def run(x, y, out):
        vector_add(out.queue, work_items, group, n, x.data, y.data, out.data)

    return run
