"""Numba CUDA kernel hashing a counter (SplitMix64), one thread per element."""

from itertools import count

import numpy as np
from numba import cuda

PARAMETERS = ("block_size",)


@cuda.jit(device=True)
def random_bits(k):
    z = (k + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@cuda.jit
def fill_float64(drawn, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = np.float64(random_bits(drawn + np.uint64(i)) >> np.uint64(11)) * 2.0**-53


@cuda.jit
def fill_float32(drawn, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = np.float32(random_bits(drawn + np.uint64(i)) >> np.uint64(40)) * np.float32(2.0**-24)


def prepare(case):
    fill = {"float64": fill_float64, "float32": fill_float32}[case.dtype]
    fill, drawn = fill[case.blocks(), case.block_size, case.stream], count(0, case.size)
    return lambda out: fill(np.uint64(next(drawn)), out)
