"""Numba guvectorize: the operation on one row, made a function of arrays with any number of rows."""

import numba


@numba.guvectorize(
    ["void(float32[:], float32[:], float32[:])", "void(float64[:], float64[:], float64[:])"],
    "(n),(n)->()",
    cache=True,
    fastmath=True,
)
def run(x, y, out):
    total = x.dtype.type(0)
    for j in range(x.size):
        total += x[j] * y[j]
    out[0] = total
