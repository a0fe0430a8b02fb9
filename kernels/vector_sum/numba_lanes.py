"""Numba prange loop with 64 partial sums per thread, so that it uses SIMD lanes without fastmath."""

import numba
import numpy as np

PARAMETERS = ("threads",)
LANES = 64


@numba.njit(cache=True, parallel=True)
def vector_sum(x, threads):
    sums = np.zeros((threads, LANES), x.dtype)
    for thread in numba.prange(threads):
        partial, end = sums[thread], x.size * (thread + 1) // threads
        for first in range(x.size * thread // threads, end, LANES):
            block = x[first : min(first + LANES, end)]
            for lane in range(block.size):
                partial[lane] += block[lane]
    return sums.sum()


def prepare(case):
    threads = numba.get_num_threads()
    return lambda x: vector_sum(x, threads)
