"""Numba CUDA kernel, one thread per element."""

from numba import cuda

PARAMETERS = ("block_size",)


@cuda.jit
def multiply(x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[i] * y[i]


def prepare(case):
    return multiply[case.blocks(), case.block_size, case.stream]
