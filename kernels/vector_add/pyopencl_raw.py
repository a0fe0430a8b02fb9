"""OpenCL C, one work-item per 16 bytes of each vector."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("vector_add.cl",)


def prepare(case):
    vector_add = cl.Kernel(case.artifact("vector_add.cl"), f"vector_add_{case.dtype}")
    block = case.block_size
    each = 16 // np.dtype(case.dtype).itemsize
    groups = max(1, -(-case.size // (block * each)))
    n = np.int64(case.size)

    def run(x, y, out):
        vector_add(x.queue, (groups * block,), (block,), n, x.data, y.data, out.data)

    run.kernel = vector_add
    return run
