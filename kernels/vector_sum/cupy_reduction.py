"""CuPy ReductionKernel."""

import cupy as cp

run = cp.ReductionKernel("T x", "T total", "x", "a + b", "total = a", "0", "vector_sum")
