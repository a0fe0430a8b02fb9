"""Numba vectorize: a NumPy ufunc made from a scalar function."""

import numba


@numba.vectorize(["float32(float32, float32, float32)", "float64(float64, float64, float64)"], cache=True)
def saxpy(a, x, y):
    return a * x + y


def run(a, x, y, out):
    saxpy(a, x, y, out=out)
