"""pyopencl.array.dot."""

import pyopencl.array as cl_array


def run(x, y):
    return cl_array.dot(x, y)
