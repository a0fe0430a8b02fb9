"""CuPy ReductionKernel whose map expression computes the products."""

import cupy as cp

sum_of_products = cp.ReductionKernel("T x, T y", "T total", "x * y", "a + b", "total = a", "0", "sum_of_products")


def run(x, y, out):
    sum_of_products(x, y, axis=-1, out=out)
