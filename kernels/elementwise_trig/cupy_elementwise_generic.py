"""CuPy ElementwiseKernel for any type T."""

import cupy as cp

PARAMETERS = ("block_size",)

trig = cp.ElementwiseKernel("T x", "T out", "out = sin(x) * sin(x) + cos(x) * cos(x)", "elementwise_trig")


def run(x, out, *, block_size):
    trig(x, out, block_size=block_size)
