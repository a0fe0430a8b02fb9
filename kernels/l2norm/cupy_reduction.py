"""CuPy ReductionKernel with squares as its map expression and roots as its post-reduction map."""

import cupy as cp

l2norm = cp.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm")


def run(x, out):
    l2norm(x, axis=1, out=out)
