"""Numba-compiled loop."""

import numba


@numba.njit(cache=True)
def run(x, counts):
    bins = x.dtype.type(counts.size)
    counts[:] = 0
    for i in range(x.size):
        counts[int(x[i] * bins)] += 1
