"""Numba CUDA kernel, four elements per thread; each thread loads all four before it stores the first."""

import numba
from numba import cuda

PARAMETERS = ("block_size",)
EACH = 4  # elements per thread; one float per thread does not saturate the memory bandwidth


def prepare(case):
    real = getattr(numba, case.dtype)

    @cuda.jit
    def copy(x, out):
        first = cuda.blockIdx.x * (cuda.blockDim.x * EACH) + cuda.threadIdx.x
        if first < out.size:
            loaded = cuda.local.array(EACH, real)
            for k in range(EACH):
                loaded[k] = x[min(first + k * cuda.blockDim.x, out.size - 1)]  # a branch would serialise the loads
            for k in range(EACH):
                i = first + k * cuda.blockDim.x
                if i < out.size:
                    out[i] = loaded[k]

    return copy[case.blocks(EACH), case.block_size, case.stream]
