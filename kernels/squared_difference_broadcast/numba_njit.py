"""Numba-compiled loops."""

import numba


@numba.njit(cache=True)
def run(x, y, out):
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = (x[i, j] - y[j]) ** 2
