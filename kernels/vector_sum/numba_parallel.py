"""Numba prange loop on several threads; with fastmath, also in SIMD lanes."""

import numba

ALGORITHM = "in order"
PARAMETERS = ("threads",)
VARIANTS = {"fast": ("fastmath=True",)}


def vector_sum(x):
    total = x.dtype.type(0)
    for i in numba.prange(x.size):
        total += x[i]
    return total


def prepare(case):
    return numba.njit(vector_sum, cache=True, parallel=True, fastmath=case.variant == "fast")
