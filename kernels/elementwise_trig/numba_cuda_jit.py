"""Numba CUDA kernel, one thread per element."""

import math

from numba import cuda

PARAMETERS = ("block_size",)


@cuda.jit
def trig(x, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = math.sin(x[i]) ** 2 + math.cos(x[i]) ** 2


def prepare(case):
    return trig[case.blocks(), case.block_size, case.stream]
