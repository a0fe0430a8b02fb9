"""Numba prange loop on several threads."""

import numba

PARAMETERS = ("threads",)


@numba.njit(cache=True, parallel=True)
def run(a, x, b, y, z):
    for i in numba.prange(z.size):
        z[i] = a * x[i] + b * y[i]
