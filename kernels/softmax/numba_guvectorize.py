"""Numba guvectorize: the operation on one row, made a function of arrays with any number of rows."""

import math

import numba


@numba.guvectorize(
    ["void(float32[:], float32[:])", "void(float64[:], float64[:])"], "(n)->(n)", cache=True, fastmath=True
)
def run(x, out):
    top = x[0]
    for j in range(1, x.size):
        top = max(top, x[j])
    total = x.dtype.type(0)
    for j in range(x.size):
        out[j] = math.exp(x[j] - top)
        total += out[j]
    for j in range(x.size):
        out[j] /= total
