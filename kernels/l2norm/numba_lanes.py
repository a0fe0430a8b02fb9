"""Numba prange loop over rows. 64 partial sums per row allow SIMD lanes without fastmath."""

import math

import numba
import numpy as np

PARAMETERS = ("threads",)
LANES = 64


@numba.njit(cache=True, parallel=True)
def run(x, out):
    for i in numba.prange(x.shape[0]):
        sums = np.zeros(LANES, x.dtype)
        for first in range(0, x.shape[1], LANES):
            block = x[i, first : first + LANES]
            for lane in range(block.size):
                sums[lane] += block[lane] * block[lane]
        out[i] = math.sqrt(sums.sum())
