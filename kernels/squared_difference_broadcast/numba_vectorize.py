"""Numba vectorize: a NumPy ufunc made from a scalar function, which broadcasts as all ufuncs do."""

import numba


@numba.vectorize(["float32(float32, float32)", "float64(float64, float64)"], cache=True)
def squared_difference(x, y):
    return (x - y) ** 2


def run(x, y, out):
    squared_difference(x, y, out=out)
