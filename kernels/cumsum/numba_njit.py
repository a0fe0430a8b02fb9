"""Numba-compiled loop."""

import numba


@numba.njit(cache=True)
def run(x, out):
    total = x.dtype.type(0)
    for i in range(x.size):
        total += x[i]
        out[i] = total
