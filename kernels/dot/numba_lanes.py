"""Numba prange, each thread with 64 sums side by side: threads, and SIMD lanes without fastmath."""

import numba
import numpy as np

PARAMETERS = ("threads",)
LANES = 64


@numba.njit(cache=True, parallel=True)
def dot(x, y, threads):
    sums = np.zeros((threads, LANES), x.dtype)
    for thread in numba.prange(threads):
        own, first, end = sums[thread], x.size * thread // threads, x.size * (thread + 1) // threads
        while first + LANES <= end:
            for lane in range(LANES):
                own[lane] += x[first + lane] * y[first + lane]
            first += LANES
        for i in range(first, end):
            own[0] += x[i] * y[i]
    return sums.sum()


def prepare(case):
    threads = numba.get_num_threads()
    return lambda x, y: dot(x, y, threads)
