"""OpenCL C, one work-item per 16 bytes of each vector."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("multiply_add.cl",)


def prepare(case):
    multiply_add = cl.Kernel(case.artifact("multiply_add.cl"), f"multiply_add_{case.dtype}")
    block = case.block_size
    each = 16 // np.dtype(case.dtype).itemsize
    groups = max(1, -(-case.size // (block * each)))
    n = np.int64(case.size)

    def run(x1, x2, b, out):
        multiply_add(x1.queue, (groups * block,), (block,), n, x1.data, x2.data, b, out.data)

    run.kernel = multiply_add
    return run
