"""OpenCL C, one work-item per 16 bytes of each vector."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("squared_difference.cl",)


def prepare(case):
    squared_difference = cl.Kernel(case.artifact("squared_difference.cl"), f"squared_difference_{case.dtype}")
    block = case.block_size
    each = 16 // np.dtype(case.dtype).itemsize
    groups = max(1, -(-case.size // (block * each)))
    n = np.int64(case.size)

    def run(x, y, out):
        squared_difference(x.queue, (groups * block,), (block,), n, x.data, y.data, out.data)

    run.kernel = squared_difference
    return run
