"""x * y by cupy.fuse, a new array each time."""

import cupy as cp


@cp.fuse()
def multiply(x, y):
    return x * y


def run(x, y, out):
    return multiply(x, y)
