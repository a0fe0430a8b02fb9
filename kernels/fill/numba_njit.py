"""Numba-compiled loop."""

import numba


@numba.njit(cache=True)
def run(out):
    for i in range(out.size):
        out[i] = 1
