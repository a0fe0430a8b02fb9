"""Numba prange loop on several threads."""

import math

import numba

PARAMETERS = ("threads",)


@numba.njit(cache=True, parallel=True)
def run(x, out):
    for i in numba.prange(out.size):
        out[i] = math.sin(x[i]) ** 2 + math.cos(x[i]) ** 2
