"""Numba-compiled loops."""

import numba


@numba.njit(cache=True)
def run(data, indices, indptr, x, y):
    for i in range(y.size):
        total = y.dtype.type(0)
        for k in range(indptr[i], indptr[i + 1]):
            total += data[k] * x[indices[k]]
        y[i] = total
