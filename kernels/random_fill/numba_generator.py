"""Numba-compiled loop that draws from a NumPy Generator (PCG64) given to it."""

import numba
import numpy as np


@numba.njit
def fill(rng, out):
    for i in range(out.size):
        out[i] = rng.random()


def prepare(case):
    rng = np.random.default_rng(20230308)
    return lambda out: fill(rng, out)
