"""Array code that cupy.fuse traces once and compiles to one kernel; the result is a new array."""

import cupy as cp


@cp.fuse(kernel_name="squared_difference")
def squared_difference(x, y):
    return (x - y) * (x - y)


def run(x, y, out):
    return squared_difference(x, y)
