"""Numba-compiled loops, additions along a row in order."""

import numba

ALGORITHM = "in order"


@numba.njit(cache=True)
def run(x, y, out):
    for i in range(x.shape[0]):
        total = x.dtype.type(0)
        for j in range(x.shape[1]):
            total += x[i, j] * y[i, j]
        out[i] = total
