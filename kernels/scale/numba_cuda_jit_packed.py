"""Numba CUDA kernel: each thread loads four elements before it stores the first result."""

import numba
from numba import cuda

PARAMETERS = ("block_size",)
EACH = 4  # elements per thread; one float per thread does not saturate the memory bandwidth


def prepare(case):
    real = getattr(numba, case.dtype)

    @cuda.jit
    def scale(factor, x, y):
        first = cuda.blockIdx.x * (cuda.blockDim.x * EACH) + cuda.threadIdx.x
        if first < y.size:
            products = cuda.local.array(EACH, real)
            for k in range(EACH):
                i = min(first + k * cuda.blockDim.x, y.size - 1)  # a branch here would wait for each load
                products[k] = factor * x[i]
            for k in range(EACH):
                i = first + k * cuda.blockDim.x
                if i < y.size:
                    y[i] = products[k]

    return scale[case.blocks(EACH), case.block_size, case.stream]
