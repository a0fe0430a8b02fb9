"""Numba CUDA kernel, four elements a thread: all are loaded before the first is stored."""

import numba
from numba import cuda

PARAMETERS = ("block_size",)
EACH = 4  # one by one, floats keep too little memory traffic in flight


def prepare(case):
    real = getattr(numba, case.dtype)

    @cuda.jit
    def squared_difference(x, y, out):
        first = cuda.blockIdx.x * (cuda.blockDim.x * EACH) + cuda.threadIdx.x
        if first < out.size:
            results = cuda.local.array(EACH, real)
            for k in range(EACH):
                i = min(first + k * cuda.blockDim.x, out.size - 1)  # a branch here would wait for each load
                results[k] = (x[i] - y[i]) ** 2
            for k in range(EACH):
                i = first + k * cuda.blockDim.x
                if i < out.size:
                    out[i] = results[k]

    return squared_difference[case.blocks(EACH), case.block_size, case.stream]
