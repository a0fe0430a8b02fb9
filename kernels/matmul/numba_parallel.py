"""Numba prange loop: threads share the rows."""

import numba

ALGORITHM = "plain loops"
PARAMETERS = ("threads",)


@numba.njit(cache=True, parallel=True)
def run(a, b, out):
    n = len(out)
    for i in numba.prange(n):
        out[i, :] = 0
        for k in range(n):
            for j in range(n):
                out[i, j] += a[i, k] * b[k, j]
