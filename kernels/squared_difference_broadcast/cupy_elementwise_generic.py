"""CuPy ElementwiseKernel for scalars of any type T; CuPy broadcasts the arrays."""

import cupy as cp

PARAMETERS = ("block_size",)

squared_difference = cp.ElementwiseKernel(
    "T x, T y", "T out", "T difference = x - y; out = difference * difference", "squared_difference"
)


def run(x, y, out, *, block_size):
    squared_difference(x, y, out, block_size=block_size)
