"""Numba-compiled loop that draws from a NumPy Generator (PCG64) given to it."""

import numba
import numpy as np


def prepare(case):
    number, rng = getattr(np, case.dtype), np.random.default_rng(20230308)

    @numba.njit
    def fill(rng, out):
        for i in range(out.size):
            out[i] = rng.random(dtype=number)

    return lambda out: fill(rng, out)
