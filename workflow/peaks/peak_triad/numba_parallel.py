"""Numba prange loop on several threads."""

import numba

PARAMETERS = ("threads",)


@numba.njit(cache=True, parallel=True)
def run(a, x, y, out):
    for i in numba.prange(out.size):
        out[i] = x[i] + a * y[i]
