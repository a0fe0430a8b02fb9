"""Numba-compiled loop."""

import numba


@numba.njit(cache=True)
def run(x, counts):
    bins = x.dtype.type(counts.size)
    counts[:] = 0
    for i in range(x.size):
        bin = x[i] * bins
        if 0 <= bin < bins:
            counts[int(bin)] += 1
