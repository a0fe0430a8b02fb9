"""OpenCL C hashing a counter (SplitMix64), one work-item per 16 bytes."""

from itertools import count

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("random_fill_packed.cl",)


def prepare(case):
    random_fill = cl.Kernel(case.artifact("random_fill_packed.cl"), f"random_fill_{case.dtype}")
    work_items, group = (case.blocks(16 // case.itemsize) * case.block_size,), (case.block_size,)
    n, drawn = np.int64(case.size), count(0, case.size)

    def run(out):
        random_fill(out.queue, work_items, group, n, np.uint64(next(drawn)), out.data)

    return run
