"""CuPy ElementwiseKernel for any type T."""

import cupy as cp

PARAMETERS = ("block_size",)

linear_combination = cp.ElementwiseKernel("T a, T x, T b, T y", "T z", "z = a * x + b * y", "linear_combination")


def run(a, x, b, y, z, *, block_size):
    linear_combination(a, x, b, y, z, block_size=block_size)
