"""OpenCL C, one work-item per 16 bytes of each vector."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("scale.cl",)


def prepare(case):
    scale = cl.Kernel(case.artifact("scale.cl"), f"scale_{case.dtype}")
    block = case.block_size
    each = 16 // np.dtype(case.dtype).itemsize
    groups = max(1, -(-case.size // (block * each)))
    n = np.int64(case.size)

    def run(factor, x, y):
        scale(x.queue, (groups * block,), (block,), n, factor, x.data, y.data)

    run.kernel = scale
    return run
