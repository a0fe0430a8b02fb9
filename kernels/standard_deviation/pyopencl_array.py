"""The definition written with pyopencl.array, the differences in a new array."""

import pyopencl.array as cl_array
from pyopencl import clmath


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("there is no mean of no elements to subtract")
    n = case.size

    def run(x):
        difference = x - cl_array.sum(x) / n
        return clmath.sqrt(cl_array.dot(difference, difference) / n)

    return run
