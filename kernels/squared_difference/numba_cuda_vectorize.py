"""A ufunc compiled by numba.vectorize for CUDA; the library chooses blocks and grid."""

from numba import vectorize


@vectorize(["float64(float64, float64)", "float32(float32, float32)"], target="cuda")
def squared_difference(x, y):
    return (x - y) ** 2


def prepare(case):
    return lambda x, y, out: squared_difference(x, y, out=out, stream=case.stream)
