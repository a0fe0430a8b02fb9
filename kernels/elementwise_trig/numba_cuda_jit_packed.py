"""Numba CUDA kernel, four elements per thread; each thread loads all four before it stores the first."""

import math

import numba
from numba import cuda

PARAMETERS = ("block_size",)
EACH = 4  # elements per thread; one float per thread does not saturate the memory bandwidth


def prepare(case):
    real = getattr(numba, case.dtype)

    @cuda.jit
    def trig(x, out):
        first = cuda.blockIdx.x * (cuda.blockDim.x * EACH) + cuda.threadIdx.x
        if first < out.size:
            results = cuda.local.array(EACH, real)
            for k in range(EACH):
                i = min(first + k * cuda.blockDim.x, out.size - 1)  # a branch here would serialise the loads
                results[k] = math.sin(x[i]) ** 2 + math.cos(x[i]) ** 2
            for k in range(EACH):
                i = first + k * cuda.blockDim.x
                if i < out.size:
                    out[i] = results[k]

    return trig[case.blocks(EACH), case.block_size, case.stream]
