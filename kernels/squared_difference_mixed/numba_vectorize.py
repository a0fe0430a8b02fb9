"""Numba vectorize: a NumPy ufunc made from a scalar function, with a loop for each pair of types."""

import numba


@numba.vectorize(["float32(int16, float32)", "float64(int16, float64)"], cache=True)
def squared_difference(x, y):
    return (x - y) ** 2


def run(x, y, out):
    squared_difference(x, y, out=out)
