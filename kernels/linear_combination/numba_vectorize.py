"""Numba vectorize: a NumPy ufunc made from a scalar function."""

import numba


@numba.vectorize(
    ["float32(float32, float32, float32, float32)", "float64(float64, float64, float64, float64)"], cache=True
)
def linear_combination(a, x, b, y):
    return a * x + b * y


def run(a, x, b, y, z):
    linear_combination(a, x, b, y, out=z)
