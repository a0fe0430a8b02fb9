"""Numba-compiled loops."""

import numba
import numpy as np

FOUR = np.float32(4)  # Numba would compare float32 and an integer in double precision


@numba.njit
def steps(a, b, limit):
    re = im = a - a
    for step in range(limit):
        re, im = re * re - im * im + a, (re + re) * im + b
        if not re * re + im * im <= FOUR:  # negated, so that a point with NaN leaves, too
            return step + 1
    return limit


@numba.njit(cache=True)
def run(x, y, limit, counts):
    for i in range(y.size):
        for j in range(x.size):
            counts[i, j] = steps(x[j], y[i], limit)
