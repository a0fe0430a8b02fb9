"""OpenCL C, one work-item per element."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("linear_combination.cl",)


def prepare(case):
    linear_combination = cl.Kernel(case.artifact("linear_combination.cl"), f"linear_combination_{case.dtype}")
    work_items, group, n = (case.blocks() * case.block_size,), (case.block_size,), np.int64(case.size)

    def run(a, x, b, y, z):
        linear_combination(z.queue, work_items, group, n, a, x.data, b, y.data, z.data)

    return run
