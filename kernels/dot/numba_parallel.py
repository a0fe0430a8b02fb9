"""Numba prange loop on several threads; with fastmath, also in SIMD lanes."""

import numba

ALGORITHM = "in order"
PARAMETERS = ("threads",)
VARIANTS = {"fast": ("fastmath=True",)}


def dot(x, y):
    product = x.dtype.type(0)
    for i in numba.prange(x.size):
        product += x[i] * y[i]
    return product


def prepare(case):
    return numba.njit(dot, cache=True, parallel=True, fastmath=case.variant == "fast")
