"""Numba CUDA kernel, one thread per element."""

from numba import cuda

PARAMETERS = ("block_size",)


@cuda.jit
def squared_difference(x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = (x[i] - y[i]) ** 2


def prepare(case):
    return squared_difference[case.blocks(), case.block_size, case.stream]
