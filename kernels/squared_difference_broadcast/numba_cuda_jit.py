"""Numba CUDA kernel, one thread per element."""

from numba import cuda

PARAMETERS = ("block_size",)


@cuda.jit
def squared_difference(x, y, out):
    k = cuda.grid(1)
    if k < out.size:
        i, j = k // y.size, k % y.size
        out[i, j] = (x[i, j] - y[j]) ** 2


def prepare(case):
    blocks = case.blocks(n=case.size * case.options["columns"])
    return squared_difference[blocks, case.block_size, case.stream]
