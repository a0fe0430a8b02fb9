"""Numba prange loop over rows, with 64 partial sums per row, so that it uses SIMD lanes without fastmath."""

import numba
import numpy as np

PARAMETERS = ("threads",)
LANES = 64


@numba.njit(cache=True, parallel=True)
def run(x, y, out):
    for i in numba.prange(x.shape[0]):
        sums = np.zeros(LANES, x.dtype)
        for first in range(0, x.shape[1], LANES):
            x_lanes, y_lanes = x[i, first : first + LANES], y[i, first : first + LANES]
            for lane in range(x_lanes.size):
                sums[lane] += x_lanes[lane] * y_lanes[lane]
        out[i] = sums.sum()
