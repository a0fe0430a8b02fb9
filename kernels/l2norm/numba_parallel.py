"""Numba prange loop: threads share the rows; with fastmath, SIMD lanes share a row's columns."""

import math

import numba

ALGORITHM = "in order"
PARAMETERS = ("threads",)
VARIANTS = {"fast": ("fastmath=True",)}


def l2norm(x, out):
    for i in numba.prange(x.shape[0]):
        total = x.dtype.type(0)
        for j in range(x.shape[1]):
            total += x[i, j] * x[i, j]
        out[i] = math.sqrt(total)


def prepare(case):
    return numba.njit(l2norm, cache=True, parallel=True, fastmath=case.variant == "fast")
