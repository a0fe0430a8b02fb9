"""Numba CUDA kernel, one thread per element of the product, all from global memory."""

import numba
from numba import cuda

PARAMETERS = ("block_size",)


def prepare(case):
    real = getattr(numba, case.dtype)

    @cuda.jit
    def matmul(a, b, out):
        column, row = cuda.grid(2)
        if row < out.shape[0] and column < out.shape[1]:
            total = real(0)
            for k in range(a.shape[1]):
                total += a[row, k] * b[k, column]
            out[row, column] = total

    grid = case.blocks()
    return matmul[grid, case.block_size, case.stream]
