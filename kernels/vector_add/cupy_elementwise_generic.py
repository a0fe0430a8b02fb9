"""CuPy ElementwiseKernel for any type T."""

import cupy as cp

PARAMETERS = ("block_size",)

vector_add = cp.ElementwiseKernel("T x, T y", "T out", "out = x + y", "vector_add")


def run(x, y, out, *, block_size):
    vector_add(x, y, out, block_size=block_size)
