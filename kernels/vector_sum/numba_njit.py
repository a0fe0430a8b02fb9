"""Numba-compiled loop, additions in order."""

import numba


@numba.njit(cache=True)
def run(x):
    total = x.dtype.type(0)
    for i in range(x.size):
        total += x[i]
    return total
