"""pyopencl.array.sum."""

import pyopencl.array as cl_array


def run(x):
    return cl_array.sum(x)
