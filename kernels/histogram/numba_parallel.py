"""Numba prange loop over parts of the vector with private histograms, which are added up."""

import numba
import numpy as np

PARAMETERS = ("threads",)


@numba.njit(cache=True, parallel=True)
def histogram(x, counts, parts):
    n, bins = x.size, x.dtype.type(counts.size)
    of_part = np.zeros((parts, counts.size), np.int32)
    for part in numba.prange(parts):
        for i in range(n * part // parts, n * (part + 1) // parts):
            bin = x[i] * bins
            if 0 <= bin < bins:
                of_part[part, int(bin)] += 1
    counts[:] = 0
    for part in range(parts):
        counts += of_part[part]


def run(x, counts):
    histogram(x, counts, numba.get_num_threads())  # get_num_threads() inside `histogram` would disable its caching
