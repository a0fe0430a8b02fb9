"""CuPy ElementwiseKernel for any type T."""

import cupy as cp

PARAMETERS = ("block_size",)

saxpy = cp.ElementwiseKernel("T a, T x, T y", "T out", "out = a * x + y", "saxpy")


def run(a, x, y, out, *, block_size):
    saxpy(a, x, y, out, block_size=block_size)
