"""OpenCL C hashing a counter (SplitMix64), one work-item per 16 bytes."""

from itertools import count

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("random_fill.cl",)


def prepare(case):
    random_fill = cl.Kernel(case.artifact("random_fill.cl"), f"random_fill_{case.dtype}")
    block = case.block_size
    each = 16 // np.dtype(case.dtype).itemsize
    groups = max(1, -(-case.size // (block * each)))
    n, drawn = np.int64(case.size), count(0, case.size)

    def run(out):
        random_fill(out.queue, (groups * block,), (block,), n, np.uint64(next(drawn)), out.data)

    run.kernel = random_fill
    return run
