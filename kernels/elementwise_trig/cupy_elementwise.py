"""CuPy ElementwiseKernel with its types written out."""

import cupy as cp

PARAMETERS = ("block_size",)


def prepare(case):
    real, block_size = case.dtype, case.block_size
    formula = "out = sin(x) * sin(x) + cos(x) * cos(x)"
    trig = cp.ElementwiseKernel(f"{real} x", f"{real} out", formula, "elementwise_trig")
    return lambda x, out: trig(x, out, block_size=block_size)
