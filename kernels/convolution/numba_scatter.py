"""Numba-compiled loops, scatter: each input is added to the outputs that depend on it."""

import numba

ALGORITHM = "scatter"


@numba.njit(cache=True)
def run(x, weights, out):
    taps = weights.size
    out[:] = 0
    for j in range(x.size):
        first = j - (taps - 1)
        for k in range(max(0, -first), min(taps, out.size - first)):
            out[first + k] += weights[k] * x[j]
