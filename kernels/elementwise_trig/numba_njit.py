"""Numba-compiled loop."""

import math

import numba


@numba.njit(cache=True)
def run(x, out):
    for i in range(out.size):
        out[i] = math.sin(x[i]) ** 2 + math.cos(x[i]) ** 2
