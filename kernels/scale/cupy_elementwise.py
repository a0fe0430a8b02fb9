"""CuPy ElementwiseKernel with its types written out."""

import cupy as cp

PARAMETERS = ("block_size",)


def prepare(case):
    real, block_size = case.dtype, case.block_size
    scale = cp.ElementwiseKernel(f"{real} factor, {real} x", f"{real} y", "y = factor * x", "scale")
    return lambda factor, x, y: scale(factor, x, y, block_size=block_size)
