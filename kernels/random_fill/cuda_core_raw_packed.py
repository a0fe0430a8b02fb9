"""CUDA C hashing a counter (SplitMix64), one thread per 16 bytes, compiled ahead, launched through cuda.core."""

from itertools import count

import numpy as np
from cuda.core import LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("random_fill_packed.cu",)


def prepare(case):
    random_fill = ObjectCode.from_fatbin(case.artifact("random_fill_packed.cu")).get_kernel(f"random_fill_{case.dtype}")
    config, n = LaunchConfig(grid=case.blocks(16 // case.itemsize), block=case.block_size), np.int64(case.size)
    drawn = count(0, case.size)
    return lambda out: launch(case.stream, config, random_fill, n, np.uint64(next(drawn)), out.ptr)
