"""Numba-compiled loop, additions in order; with fastmath, in SIMD lanes."""

import numba

ALGORITHM = "in order"
VARIANTS = {"fast": ("fastmath=True",)}


def dot(x, y):
    product = x.dtype.type(0)
    for i in range(x.size):
        product += x[i] * y[i]
    return product


def prepare(case):
    return numba.njit(dot, cache=True, fastmath=case.variant == "fast")
