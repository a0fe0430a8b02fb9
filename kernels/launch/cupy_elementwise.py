"""An empty ElementwiseKernel. Its time includes CuPy's checks of the arguments."""

import cupy as cp

nothing = cp.ElementwiseKernel("", "float64 x", "", "launch")


def run(x):
    nothing(x)
