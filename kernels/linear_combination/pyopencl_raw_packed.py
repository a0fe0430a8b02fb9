"""OpenCL C, one work-item per 16 bytes of each vector."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("linear_combination_packed.cl",)


def prepare(case):
    linear_combination = cl.Kernel(case.artifact("linear_combination_packed.cl"), f"linear_combination_{case.dtype}")
    group, n = (case.block_size,), np.int64(case.size)
    work_items = (case.blocks(16 // case.itemsize) * case.block_size,)

    def run(a, x, b, y, z):
        linear_combination(z.queue, work_items, group, n, a, x.data, b, y.data, z.data)

    return run
