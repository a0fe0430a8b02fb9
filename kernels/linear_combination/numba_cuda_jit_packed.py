"""Numba CUDA kernel, four elements a thread: all are loaded before the first is stored."""

import numba
from numba import cuda

PARAMETERS = ("block_size",)
EACH = 4  # one by one, floats keep too little memory traffic in flight


def prepare(case):
    real = getattr(numba, case.dtype)

    @cuda.jit
    def linear_combination(a, x, b, y, z):
        first = cuda.blockIdx.x * (cuda.blockDim.x * EACH) + cuda.threadIdx.x
        if first < z.size:
            sums = cuda.local.array(EACH, real)
            for k in range(EACH):
                i = min(first + k * cuda.blockDim.x, z.size - 1)  # a branch here would wait for each load
                sums[k] = a * x[i] + b * y[i]
            for k in range(EACH):
                i = first + k * cuda.blockDim.x
                if i < z.size:
                    z[i] = sums[k]

    return linear_combination[case.blocks(EACH), case.block_size, case.stream]
