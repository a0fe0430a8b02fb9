"""CUDA C hashing a counter (SplitMix64), compiled ahead, launched through cupy.RawModule, 16 bytes a thread."""

from itertools import count

import cupy as cp
import numpy as np

PARAMETERS = ("block_size",)
SOURCES = ("random_fill.cu",)


def prepare(case):
    random_fill = cp.RawModule(path=case.artifact("random_fill.cu")).get_function(f"random_fill_{case.dtype}")
    block = case.block_size
    each = 16 // np.dtype(case.dtype).itemsize
    blocks = max(1, -(-case.size // (block * each)))
    n, drawn = np.int64(case.size), count(0, case.size)

    def run(out):
        random_fill((blocks,), (block,), (n, np.uint64(next(drawn)), out))

    run.kernel = random_fill
    return run
