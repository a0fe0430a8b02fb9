"""Numba-compiled loop."""

import numba


@numba.njit(cache=True)
def run(x, y, out):
    for i in range(out.size):
        out[i] = x[i] + y[i]
