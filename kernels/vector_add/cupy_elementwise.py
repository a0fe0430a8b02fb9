"""CuPy ElementwiseKernel with its types written out."""

import cupy as cp

PARAMETERS = ("block_size",)


def prepare(case):
    real, block_size = case.dtype, case.block_size
    vector_add = cp.ElementwiseKernel(f"{real} x, {real} y", f"{real} out", "out = x + y", "vector_add")
    return lambda x, y, out: vector_add(x, y, out, block_size=block_size)
