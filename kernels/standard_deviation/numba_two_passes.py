"""Numba prange loops on several threads, in two passes and double precision."""

import math

import numba

PARAMETERS = ("threads",)


@numba.njit(cache=True, parallel=True, error_model="numpy")
def run(x):
    total = squares = 0.0
    for i in numba.prange(x.size):
        total += x[i]
    mean = total / x.size
    for i in numba.prange(x.size):
        squares += (x[i] - mean) ** 2
    return math.sqrt(squares / x.size)
