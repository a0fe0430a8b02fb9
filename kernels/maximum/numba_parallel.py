"""Numba prange with fastmath: threads and SIMD lanes."""

import numba
import numpy as np

PARAMETERS = ("threads",)


@numba.njit(cache=True, parallel=True, fastmath=True)
def maximum(x, largest):
    for i in numba.prange(x.size):
        largest = max(largest, x[i])
    return largest


def prepare(case):
    lowest = np.finfo(case.dtype).min
    return lambda x: maximum(x, lowest)
