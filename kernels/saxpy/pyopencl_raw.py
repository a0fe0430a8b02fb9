"""OpenCL C, one work-item per 16 bytes of each vector."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("saxpy.cl",)


def prepare(case):
    saxpy = cl.Kernel(case.artifact("saxpy.cl"), f"saxpy_{case.dtype}")
    block = case.block_size
    each = 16 // np.dtype(case.dtype).itemsize
    groups = max(1, -(-case.size // (block * each)))
    n = np.int64(case.size)

    def run(a, x, y, out):
        saxpy(x.queue, (groups * block,), (block,), n, a, x.data, y.data, out.data)

    run.kernel = saxpy
    return run
