"""Numba-compiled loop."""

import math

import numba
import numpy as np


@numba.njit(cache=True)
def run(x, out):
    for i in range(out.size):
        out[i] = max(x[i], np.float32(0)) + math.log1p(math.exp(-abs(x[i])))
