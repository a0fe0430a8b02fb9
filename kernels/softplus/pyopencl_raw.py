"""OpenCL C, one work-item per 16 bytes of each vector."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("softplus.cl",)


def prepare(case):
    softplus = cl.Kernel(case.artifact("softplus.cl"), f"softplus_{case.dtype}")
    block = case.block_size
    each = 16 // np.dtype(case.dtype).itemsize
    groups = max(1, -(-case.size // (block * each)))
    n = np.int64(case.size)

    def run(x, out):
        softplus(x.queue, (groups * block,), (block,), n, x.data, out.data)

    run.kernel = softplus
    return run
