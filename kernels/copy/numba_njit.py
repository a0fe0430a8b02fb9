"""Numba-compiled loop."""

import numba


@numba.njit(cache=True)
def run(x, out):
    for i in range(out.size):
        out[i] = x[i]
