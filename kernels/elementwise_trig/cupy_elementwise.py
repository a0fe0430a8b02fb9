"""CuPy ElementwiseKernel with its types written out."""

import cupy as cp

PARAMETERS = ("block_size",)


def prepare(case):
    real, block_size = case.dtype, case.block_size
    trig = cp.ElementwiseKernel(
        f"{real} x",
        f"{real} out",
        "out = sin(x) * sin(x) + cos(x) * cos(x)",
        "elementwise_trig",
    )

    def run(x, out):
        trig(x, out, block_size=block_size)

    return run
