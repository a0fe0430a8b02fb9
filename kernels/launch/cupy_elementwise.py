"""An empty ElementwiseKernel, which includes the cost of CuPy's checks of its arguments."""

import cupy as cp

nothing = cp.ElementwiseKernel("", "float64 x", "", "launch")


def run(x):
    nothing(x)
