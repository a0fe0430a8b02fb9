"""OpenCL C, one work-item per 16 bytes."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("fill.cl",)


def prepare(case):
    fill = cl.Kernel(case.artifact("fill.cl"), f"fill_{case.dtype}")
    block = case.block_size
    each = 16 // np.dtype(case.dtype).itemsize
    groups = max(1, -(-case.size // (block * each)))
    n = np.int64(case.size)

    def run(out):
        fill(out.queue, (groups * block,), (block,), n, out.data)

    run.kernel = fill
    return run
