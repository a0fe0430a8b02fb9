"""Numba prange loop: threads share the rows."""

import numba

PARAMETERS = ("threads",)


@numba.njit(cache=True, parallel=True)
def run(x, out):
    n, fifth = len(x), x.dtype.type(0.2)
    for i in numba.prange(1, n - 1):
        for j in range(1, n - 1):
            out[i, j] = (x[i, j] + x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1]) * fifth
    out[:1], out[-1:], out[:, :1], out[:, -1:] = x[:1], x[-1:], x[:, :1], x[:, -1:]
