"""Numba vectorize: a NumPy ufunc made from a scalar function."""

import numba


@numba.vectorize(["float32(float32, float32, float32)", "float64(float64, float64, float64)"], cache=True)
def multiply_add(x1, x2, b):
    return x1 * x2 + b


def run(x1, x2, b, out):
    multiply_add(x1, x2, b, out=out)
