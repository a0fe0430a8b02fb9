"""Numba-compiled loop, additions in order; with fastmath, in SIMD lanes."""

import numba

ALGORITHM = "in order"
VARIANTS = {"fast": ("fastmath=True",)}


def vector_sum(x):
    total = x.dtype.type(0)
    for i in range(x.size):
        total += x[i]
    return total


def prepare(case):
    return numba.njit(vector_sum, cache=True, fastmath=case.variant == "fast")
