"""Numba prange: threads share the rows, each of 64 sums side by side, in SIMD lanes without fastmath."""

import numba
import numpy as np

PARAMETERS = ("threads",)
LANES = 64


@numba.njit(cache=True, parallel=True)
def run(x, y, out):
    for i in numba.prange(x.shape[0]):
        sums, first = np.zeros(LANES, x.dtype), 0
        while first + LANES <= x.shape[1]:
            for lane in range(LANES):
                sums[lane] += x[i, first + lane] * y[i, first + lane]
            first += LANES
        for j in range(first, x.shape[1]):
            sums[0] += x[i, j] * y[i, j]
        out[i] = sums.sum()
