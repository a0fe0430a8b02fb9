"""Numba prange loops over parts of the vector: the first loop adds up the parts, the second scans them."""

import numba
import numpy as np

PARAMETERS = ("threads",)


@numba.njit(cache=True, parallel=True)
def cumsum(x, out, parts):
    n, starts = x.size, np.zeros(parts + 1, x.dtype)
    for part in numba.prange(parts):
        total = x.dtype.type(0)
        for i in range(n * part // parts, n * (part + 1) // parts):
            total += x[i]
        starts[part + 1] = total
    for part in range(parts):
        starts[part + 1] += starts[part]
    for part in numba.prange(parts):
        total = starts[part]
        for i in range(n * part // parts, n * (part + 1) // parts):
            total += x[i]
            out[i] = total


def run(x, out):
    cumsum(x, out, numba.get_num_threads())  # get_num_threads() inside `cumsum` would disable its caching
