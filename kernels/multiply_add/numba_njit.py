"""Numba-compiled loop."""

import numba


@numba.njit(cache=True)
def run(x1, x2, b, out):
    for i in range(out.size):
        out[i] = x1[i] * x2[i] + b
