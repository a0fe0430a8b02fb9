"""Numba-compiled loop."""

import numba


@numba.njit(cache=True)
def run(a, x, b, y, z):
    for i in range(z.size):
        z[i] = a * x[i] + b * y[i]
