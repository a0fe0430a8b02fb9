"""Numba prange loop: threads share the rows."""

import numba

PARAMETERS = ("threads",)


@numba.njit(cache=True, parallel=True)
def run(data, indices, indptr, x, y):
    for i in numba.prange(y.size):
        total = y.dtype.type(0)
        for k in range(indptr[i], indptr[i + 1]):
            total += data[k] * x[indices[k]]
        y[i] = total
