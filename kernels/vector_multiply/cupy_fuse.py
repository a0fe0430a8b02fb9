"""x * y with cupy.fuse, which makes a new array in every call."""

import cupy as cp


@cp.fuse()
def multiply(x, y):
    return x * y


def run(x, y, out):
    return multiply(x, y)
