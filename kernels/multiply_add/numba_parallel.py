"""Numba prange loop on several threads."""

import numba

PARAMETERS = ("threads",)


@numba.njit(cache=True, parallel=True)
def run(x1, x2, b, out):
    for i in numba.prange(out.size):
        out[i] = x1[i] * x2[i] + b
