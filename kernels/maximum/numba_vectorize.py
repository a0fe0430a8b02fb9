"""Numba vectorize: a NumPy ufunc of two numbers, and the reduction that comes with every ufunc."""

import numba
import numpy as np


@numba.vectorize(["float32(float32, float32)", "float64(float64, float64)"], cache=True, identity="reorderable")
def larger(a, b):
    return a if a > b else b


def prepare(case):
    lowest = np.finfo(case.dtype).min
    return lambda x: larger.reduce(x, initial=lowest)
