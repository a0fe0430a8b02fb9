"""Numba-compiled loops, row by row."""

import numba

ALGORITHM = "row by row"


@numba.njit(cache=True)
def run(x, out):
    n = len(x)
    for i in range(n):
        for j in range(n):
            out[i, j] = x[j, i]
