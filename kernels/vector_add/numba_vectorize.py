"""Numba vectorize: a NumPy ufunc made from a scalar function."""

import numba


@numba.vectorize(["float32(float32, float32)", "float64(float64, float64)"], cache=True)
def vector_add(x, y):
    return x + y


def run(x, y, out):
    vector_add(x, y, out=out)
