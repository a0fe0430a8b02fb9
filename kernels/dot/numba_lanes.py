"""Numba prange loop with 64 partial sums per thread, so that SIMD lanes are used without fastmath."""

import numba
import numpy as np

PARAMETERS = ("threads",)
LANES = 64


@numba.njit(cache=True, parallel=True)
def dot(x, y, threads):
    sums = np.zeros((threads, LANES), x.dtype)
    for thread in numba.prange(threads):
        partial, end = sums[thread], x.size * (thread + 1) // threads
        for first in range(x.size * thread // threads, end, LANES):
            block = slice(first, min(first + LANES, end))
            x_lanes, y_lanes = x[block], y[block]
            for lane in range(x_lanes.size):
                partial[lane] += x_lanes[lane] * y_lanes[lane]
    return sums.sum()


def prepare(case):
    threads = numba.get_num_threads()
    return lambda x, y: dot(x, y, threads)
