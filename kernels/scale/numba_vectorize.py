"""Numba vectorize: a NumPy ufunc made from a scalar function."""

import numba


@numba.vectorize(["float32(float32, float32)", "float64(float64, float64)"], cache=True)
def scale(factor, x):
    return factor * x


def run(factor, x, y):
    scale(factor, x, out=y)
