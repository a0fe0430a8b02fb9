"""Numba prange with fastmath: threads and SIMD lanes."""

import numba

PARAMETERS = ("threads",)


@numba.njit(cache=True, parallel=True, fastmath=True)
def run(x, y):
    product = x.dtype.type(0)
    for i in numba.prange(x.size):
        product += x[i] * y[i]
    return product
