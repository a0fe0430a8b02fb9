"""Numba-compiled loop, additions in order."""

import numba


@numba.njit(cache=True)
def run(a):
    total = a.dtype.type(0)
    for i in range(len(a)):
        total += a[i, i]
    return total
