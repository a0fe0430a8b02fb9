"""OpenCL C, one work-item per 16 bytes of each vector."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("linear_combination.cl",)


def prepare(case):
    linear_combination = cl.Kernel(case.artifact("linear_combination.cl"), f"linear_combination_{case.dtype}")
    block = case.block_size
    each = 16 // np.dtype(case.dtype).itemsize
    groups = max(1, -(-case.size // (block * each)))
    n = np.int64(case.size)

    def run(a, x, b, y, z):
        linear_combination(x.queue, (groups * block,), (block,), n, a, x.data, b, y.data, z.data)

    run.kernel = linear_combination
    return run
