"""Numba prange with fastmath: threads, and waking them takes longer than a short diagonal."""

import numba

PARAMETERS = ("threads",)


@numba.njit(cache=True, parallel=True, fastmath=True)
def run(a):
    total = a.dtype.type(0)
    for i in numba.prange(len(a)):
        total += a[i, i]
    return total
