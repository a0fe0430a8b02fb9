"""Numba-compiled loops that add along each row in order."""

import math

import numba

ALGORITHM = "in order"


@numba.njit(cache=True)
def run(x, out):
    for i in range(x.shape[0]):
        total = x.dtype.type(0)
        for j in range(x.shape[1]):
            total += x[i, j] * x[i, j]
        out[i] = math.sqrt(total)
