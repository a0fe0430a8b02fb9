"""Numba CUDA kernel, one thread per element."""

from numba import cuda

PARAMETERS = ("block_size",)


@cuda.jit
def saxpy(a, x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a * x[i] + y[i]


def prepare(case):
    return saxpy[case.blocks(), case.block_size, case.stream]
