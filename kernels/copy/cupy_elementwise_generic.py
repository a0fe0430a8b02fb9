"""CuPy ElementwiseKernel for any type T."""

import cupy as cp

PARAMETERS = ("block_size",)

copy = cp.ElementwiseKernel("T x", "T out", "out = x", "copy")


def run(x, out, *, block_size):
    copy(x, out, block_size=block_size)
