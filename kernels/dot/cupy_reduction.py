"""CuPy ReductionKernel: the products are its map expression."""

import cupy as cp

run = cp.ReductionKernel("T x, T y", "T product", "x * y", "a + b", "product = a", "0", "dot")
