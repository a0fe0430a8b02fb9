"""Numba prange loop with fastmath: threads and SIMD lanes."""

import numba

PARAMETERS = ("threads",)


@numba.njit(cache=True, parallel=True, fastmath=True)
def run(x):
    total = x.dtype.type(0)
    for i in numba.prange(x.size):
        total += x[i]
    return total
