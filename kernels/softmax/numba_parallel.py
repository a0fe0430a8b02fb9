"""Numba prange loop: threads share the rows; with fastmath, SIMD lanes share a row's columns."""

import math

import numba

PARAMETERS = ("threads",)
VARIANTS = {"fast": ("fastmath=True",)}


def softmax(x, out):
    for i in numba.prange(x.shape[0]):
        top = x[i, 0]
        for j in range(1, x.shape[1]):
            top = max(top, x[i, j])
        total = x.dtype.type(0)
        for j in range(x.shape[1]):
            out[i, j] = math.exp(x[i, j] - top)
            total += out[i, j]
        for j in range(x.shape[1]):
            out[i, j] /= total


def prepare(case):
    return numba.njit(softmax, cache=True, parallel=True, fastmath=case.variant == "fast")
