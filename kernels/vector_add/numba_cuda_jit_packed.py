"""Numba CUDA kernel in which a thread loads four elements of each vector before it stores the first sum."""

import numba
from numba import cuda

PARAMETERS = ("block_size",)
EACH = 4  # elements per thread; one float per thread does not saturate the memory bandwidth


def prepare(case):
    real = getattr(numba, case.dtype)

    @cuda.jit
    def vector_add(x, y, out):
        first = cuda.blockIdx.x * (cuda.blockDim.x * EACH) + cuda.threadIdx.x
        if first < out.size:
            sums = cuda.local.array(EACH, real)
            for k in range(EACH):
                i = min(first + k * cuda.blockDim.x, out.size - 1)  # a branch here would wait for each load
                sums[k] = x[i] + y[i]
            for k in range(EACH):
                i = first + k * cuda.blockDim.x
                if i < out.size:
                    out[i] = sums[k]

    return vector_add[case.blocks(EACH), case.block_size, case.stream]
