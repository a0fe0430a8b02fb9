"""OpenCL C, one work-item per 16 bytes of each vector."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("elementwise_trig.cl",)


def prepare(case):
    trig = cl.Kernel(case.artifact("elementwise_trig.cl"), f"elementwise_trig_{case.dtype}")
    block = case.block_size
    each = 16 // np.dtype(case.dtype).itemsize
    groups = max(1, -(-case.size // (block * each)))
    n = np.int64(case.size)

    def run(x, out):
        trig(x.queue, (groups * block,), (block,), n, x.data, out.data)

    run.kernel = trig
    return run
