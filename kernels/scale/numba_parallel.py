"""Numba prange loop on several threads."""

import numba

PARAMETERS = ("threads",)


@numba.njit(cache=True, parallel=True)
def run(factor, x, y):
    for i in numba.prange(y.size):
        y[i] = factor * x[i]
