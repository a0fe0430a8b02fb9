"""OpenCL C, one work-item per 16 bytes of each vector."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("copy.cl",)


def prepare(case):
    copy = cl.Kernel(case.artifact("copy.cl"), f"copy_{case.dtype}")
    block = case.block_size
    each = 16 // np.dtype(case.dtype).itemsize
    groups = max(1, -(-case.size // (block * each)))
    n = np.int64(case.size)

    def run(x, out):
        copy(x.queue, (groups * block,), (block,), n, x.data, out.data)

    run.kernel = copy
    return run
