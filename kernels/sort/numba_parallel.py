"""Numba prange loop: threads sort parts of the vector, then merge pairs of parts. Numbers around NaN stay unsorted."""

import numba
import numpy as np

PARAMETERS = ("threads",)


@numba.njit(cache=True)
def merge(a, b, out):
    i, j = 0, 0
    for k in range(out.size):
        if j == b.size or (i < a.size and a[i] <= b[j]):
            out[k] = a[i]
            i += 1
        else:
            out[k] = b[j]
            j += 1


@numba.njit(cache=True, parallel=True)
def sort(x, start, end, rounds):
    """Sort parts of x into `start`, then merge pairs of parts into `end` and `start` in turn."""
    n, parts = x.size, 2**rounds
    edges = np.arange(parts + 1) * n // parts
    for part in numba.prange(parts):
        start[edges[part] : edges[part + 1]] = np.sort(x[edges[part] : edges[part + 1]])
    # idea: each round uses one thread per pair of parts, so the last round uses only one thread
    for step in range(rounds):
        first, second = 2**step, 2 ** (step + 1)
        for part in numba.prange(parts // second):
            low, middle, high = edges[second * part], edges[second * part + first], edges[second * (part + 1)]
            merge(start[low:middle], start[middle:high], end[low:high])
        start, end = end, start
    # end of idea


def prepare(case):
    rounds = (numba.get_num_threads() - 1).bit_length()
    scratch = np.empty(case.size, case.dtype)

    def run(x, out):
        sort(x, *((scratch, out) if rounds % 2 else (out, scratch)), rounds)

    return run
