"""Numba-compiled loop, additions in order."""

import numba


@numba.njit(cache=True)
def run(x, y):
    product = x.dtype.type(0)
    for i in range(x.size):
        product += x[i] * y[i]
    return product
