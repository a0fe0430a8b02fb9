"""CuPy ElementwiseKernel with its types written out."""

import cupy as cp

PARAMETERS = ("block_size",)


def prepare(case):
    real, block_size = case.dtype, case.block_size
    saxpy = cp.ElementwiseKernel(f"{real} a, {real} x, {real} y", f"{real} out", "out = a * x + y", "saxpy")
    return lambda a, x, y, out: saxpy(a, x, y, out, block_size=block_size)
