"""Numba-compiled loop."""

import numba


@numba.njit(cache=True)
def run(a, x, y, out):
    for i in range(out.size):
        out[i] = a * x[i] + y[i]
