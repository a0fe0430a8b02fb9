"""Numba guvectorize: the operation on one row, made a function of arrays with any number of rows."""

import math

import numba


@numba.guvectorize(
    ["void(float32[:], float32[:])", "void(float64[:], float64[:])"], "(n)->()", cache=True, fastmath=True
)
def run(x, out):
    total = x.dtype.type(0)
    for j in range(x.size):
        total += x[j] * x[j]
    out[0] = math.sqrt(total)
