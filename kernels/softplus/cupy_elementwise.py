"""CuPy ElementwiseKernel with its types written out."""

import cupy as cp

PARAMETERS = ("block_size",)


def prepare(case):
    real, block_size = case.dtype, case.block_size
    softplus = cp.ElementwiseKernel(
        f"{real} x",
        f"{real} out",
        "out = (x > 0 ? x : 0) + log1p(exp(-fabs(x)))",
        "softplus",
    )
    return lambda x, out: softplus(x, out, block_size=block_size)
