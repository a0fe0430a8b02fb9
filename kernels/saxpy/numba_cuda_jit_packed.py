"""Numba CUDA kernel: each thread loads four elements before it stores the first result."""

import numba
from numba import cuda

PARAMETERS = ("block_size",)
EACH = 4  # elements per thread; one float per thread does not saturate the memory bandwidth


def prepare(case):
    real = getattr(numba, case.dtype)

    @cuda.jit
    def saxpy(a, x, y, out):
        first = cuda.blockIdx.x * (cuda.blockDim.x * EACH) + cuda.threadIdx.x
        if first < out.size:
            sums = cuda.local.array(EACH, real)
            for k in range(EACH):
                i = min(first + k * cuda.blockDim.x, out.size - 1)  # a branch here would wait for each load
                sums[k] = a * x[i] + y[i]
            for k in range(EACH):
                i = first + k * cuda.blockDim.x
                if i < out.size:
                    out[i] = sums[k]

    return saxpy[case.blocks(EACH), case.block_size, case.stream]
