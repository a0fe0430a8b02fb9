"""Numba prange loop: threads share the rows; with fastmath, SIMD lanes share a row's columns."""

import numba

ALGORITHM = "in order"
PARAMETERS = ("threads",)
VARIANTS = {"fast": ("fastmath=True",)}


def sum_of_products(x, y, out):
    for i in numba.prange(x.shape[0]):
        total = x.dtype.type(0)
        for j in range(x.shape[1]):
            total += x[i, j] * y[i, j]
        out[i] = total


def prepare(case):
    return numba.njit(sum_of_products, cache=True, parallel=True, fastmath=case.variant == "fast")
