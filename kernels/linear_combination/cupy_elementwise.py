"""CuPy ElementwiseKernel with its types written out."""

import cupy as cp

PARAMETERS = ("block_size",)


def prepare(case):
    real, block_size = case.dtype, case.block_size
    linear_combination = cp.ElementwiseKernel(
        f"{real} a, {real} x, {real} b, {real} y", f"{real} z", "z = a * x + b * y", "linear_combination"
    )
    return lambda a, x, b, y, z: linear_combination(a, x, b, y, z, block_size=block_size)
