"""CUDA C hashing a counter (SplitMix64), one thread per element, compiled ahead, launched through cupy.RawModule."""

from itertools import count

import cupy as cp
import numpy as np

PARAMETERS = ("block_size",)
SOURCES = ("random_fill.cu",)


def prepare(case):
    random_fill = cp.RawModule(path=case.artifact("random_fill.cu")).get_function(f"random_fill_{case.dtype}")
    grid, block, drawn = (case.blocks(),), (case.block_size,), count(0, case.size)
    return lambda out: random_fill(grid, block, (case.size, np.uint64(next(drawn)), out))
