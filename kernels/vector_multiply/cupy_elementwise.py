"""CuPy ElementwiseKernel with its types written out."""

import cupy as cp

PARAMETERS = ("block_size",)


def prepare(case):
    multiply = cp.ElementwiseKernel(
        f"{case.dtype} x, {case.dtype} y", f"{case.dtype} out", "out = x * y", "vector_multiply"
    )
    return lambda x, y, out: multiply(x, y, out, block_size=case.block_size)
