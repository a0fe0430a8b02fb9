"""CuPy ElementwiseKernel for any type T."""

import cupy as cp

PARAMETERS = ("block_size",)

multiply_add = cp.ElementwiseKernel("T x1, T x2, T b", "T out", "out = x1 * x2 + b", "multiply_add")


def run(x1, x2, b, out, *, block_size):
    multiply_add(x1, x2, b, out, block_size=block_size)
