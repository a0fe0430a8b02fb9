"""Numba-compiled loops."""

import numba

ALGORITHM = "plain loops"


@numba.njit(cache=True)
def run(a, b, out):
    n = len(out)
    for i in range(n):
        out[i, :] = 0
        for k in range(n):
            for j in range(n):
                out[i, j] += a[i, k] * b[k, j]
