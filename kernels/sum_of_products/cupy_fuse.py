"""Products and sums that cupy.fuse traces once and compiles to one kernel; the result is a new array."""

import cupy as cp


@cp.fuse(kernel_name="sum_of_products")
def sum_of_products(x, y):
    return cp.sum(x * y, axis=-1)


def run(x, y, out):
    return sum_of_products(x, y)
