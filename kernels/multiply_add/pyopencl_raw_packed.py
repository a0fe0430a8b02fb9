"""OpenCL C, one work-item per 16 bytes of each vector."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("multiply_add_packed.cl",)


def prepare(case):
    multiply_add = cl.Kernel(case.artifact("multiply_add_packed.cl"), f"multiply_add_{case.dtype}")
    group, n = (case.block_size,), np.int64(case.size)
    work_items = (case.blocks(16 // case.itemsize) * case.block_size,)

    def run(x1, x2, b, out):
        multiply_add(out.queue, work_items, group, n, x1.data, x2.data, b, out.data)

    return run
