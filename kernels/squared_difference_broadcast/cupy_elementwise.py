"""CuPy ElementwiseKernel with its types written out, for scalars; CuPy broadcasts the arrays."""

import cupy as cp

PARAMETERS = ("block_size",)


def prepare(case):
    real, block_size = case.dtype, case.block_size
    squared_difference = cp.ElementwiseKernel(
        f"{real} x, {real} y",
        f"{real} out",
        "out = (x - y) * (x - y)",
        "squared_difference",
    )
    return lambda x, y, out: squared_difference(x, y, out, block_size=block_size)
