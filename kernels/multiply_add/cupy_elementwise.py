"""CuPy ElementwiseKernel with its types written out."""

import cupy as cp

PARAMETERS = ("block_size",)


def prepare(case):
    real, block_size = case.dtype, case.block_size
    multiply_add = cp.ElementwiseKernel(
        f"{real} x1, {real} x2, {real} b", f"{real} out", "out = x1 * x2 + b", "multiply_add"
    )
    return lambda x1, x2, b, out: multiply_add(x1, x2, b, out, block_size=block_size)
