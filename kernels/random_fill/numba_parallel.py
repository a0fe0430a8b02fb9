"""Numba prange loop on several threads that hash a counter (SplitMix64)."""

from itertools import count

import numba
import numpy as np

PARAMETERS = ("threads",)


@numba.njit(inline="always")
def random_bits(k):
    z = (k + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@numba.njit(cache=True, parallel=True)
def fill_float64(drawn, out):
    for i in numba.prange(out.size):
        out[i] = np.int64(random_bits(drawn + np.uint64(i)) >> np.uint64(11)) * 2.0**-53


@numba.njit(cache=True, parallel=True)
def fill_float32(drawn, out):
    for i in numba.prange(out.size):
        out[i] = np.int32(random_bits(drawn + np.uint64(i)) >> np.uint64(40)) * np.float32(2.0**-24)


def prepare(case):
    fill = {"float64": fill_float64, "float32": fill_float32}[case.dtype]
    drawn = count(0, case.size)
    return lambda out: fill(np.uint64(next(drawn)), out)
