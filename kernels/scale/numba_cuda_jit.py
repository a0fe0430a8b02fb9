"""Numba CUDA kernel, one thread per element."""

from numba import cuda

PARAMETERS = ("block_size",)


@cuda.jit
def scale(factor, x, y):
    i = cuda.grid(1)
    if i < y.size:
        y[i] = factor * x[i]


def prepare(case):
    return scale[case.blocks(), case.block_size, case.stream]
