"""Numba prange with fastmath: threads share the rows, SIMD lanes each row's columns."""

import numba

PARAMETERS = ("threads",)


@numba.njit(cache=True, parallel=True, fastmath=True)
def run(x, y, out):
    for i in numba.prange(x.shape[0]):
        total = x.dtype.type(0)
        for j in range(x.shape[1]):
            total += x[i, j] * y[i, j]
        out[i] = total
