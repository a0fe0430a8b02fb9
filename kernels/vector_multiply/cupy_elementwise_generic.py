"""CuPy ElementwiseKernel for any type T."""

import cupy as cp

PARAMETERS = ("block_size",)
multiply = cp.ElementwiseKernel("T x, T y", "T out", "out = x * y", "vector_multiply")


def run(x, y, out, *, block_size):
    multiply(x, y, out, block_size=block_size)
