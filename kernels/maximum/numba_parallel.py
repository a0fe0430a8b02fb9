"""Numba prange loop on several threads. Each thread has 64 partial maxima, in SIMD lanes."""

import numba
import numpy as np

PARAMETERS = ("threads",)
VARIANTS = {"fast": ("fastmath=True",)}
LANES = 64


def maximum(x, lowest, threads):
    largest = np.full((threads, LANES), lowest)
    for thread in numba.prange(threads):
        partial, first, end = largest[thread], x.size * thread // threads, x.size * (thread + 1) // threads
        while first + LANES <= end:
            for lane in range(LANES):
                partial[lane] = max(partial[lane], x[first + lane])
            first += LANES
        for i in range(first, end):
            partial[0] = max(partial[0], x[i])
    return largest.max()


def prepare(case):
    lowest, threads = np.finfo(case.dtype).min, numba.get_num_threads()
    compiled = numba.njit(maximum, cache=True, parallel=True, fastmath=case.variant == "fast")
    return lambda x: compiled(x, lowest, threads)
