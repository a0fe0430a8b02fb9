"""Numba CUDA kernel, one thread per element of the product, without shared memory."""

from numba import cuda

ALGORITHM = "plain loops"
PARAMETERS = ("block_size",)


@cuda.jit
def matmul(a, b, out):
    column, row = cuda.grid(2)
    if row < out.shape[0] and column < out.shape[1]:
        total = out.dtype.type(0)
        for k in range(a.shape[1]):
            total += a[row, k] * b[k, column]
        out[row, column] = total


def prepare(case):
    return matmul[case.blocks(), case.block_size, case.stream]
