"""Numba prange loop on several threads."""

import math

import numba
import numpy as np

PARAMETERS = ("threads",)


@numba.njit(cache=True, parallel=True)
def run(x, out):
    for i in numba.prange(out.size):
        out[i] = max(x[i], np.float32(0)) + math.log1p(math.exp(-abs(x[i])))
