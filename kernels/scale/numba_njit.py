"""Numba-compiled loop."""

import numba


@numba.njit(cache=True)
def run(factor, x, y):
    for i in range(y.size):
        y[i] = factor * x[i]
