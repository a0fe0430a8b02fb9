"""Numba-compiled loops, in two passes and double precision."""

import math

import numba


@numba.njit(cache=True, error_model="numpy")
def run(x):
    total = squares = 0.0
    for i in range(x.size):
        total += x[i]
    mean = total / x.size
    for i in range(x.size):
        squares += (x[i] - mean) ** 2
    return math.sqrt(squares / x.size)
