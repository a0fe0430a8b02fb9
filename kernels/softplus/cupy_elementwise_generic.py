"""CuPy ElementwiseKernel for any type T."""

import cupy as cp

PARAMETERS = ("block_size",)

softplus = cp.ElementwiseKernel("T x", "T out", "out = (x > 0 ? x : 0) + log1p(exp(-fabs(x)))", "softplus")


def run(x, out, *, block_size):
    softplus(x, out, block_size=block_size)
