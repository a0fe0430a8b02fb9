"""CuPy ElementwiseKernel for any types X, Y and Z."""

import cupy as cp

PARAMETERS = ("block_size",)

squared_difference = cp.ElementwiseKernel("X x, Y y", "Z out", "out = (x - y) * (x - y)", "squared_difference")


def run(x, y, out, *, block_size):
    squared_difference(x, y, out, block_size=block_size)
