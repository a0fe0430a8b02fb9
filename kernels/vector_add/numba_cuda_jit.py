"""Numba CUDA kernel, one thread per element."""

from numba import cuda

PARAMETERS = ("block_size",)


@cuda.jit
def vector_add(x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[i] + y[i]


def prepare(case):
    return vector_add[case.blocks(), case.block_size, case.stream]
