"""Numba CUDA kernel in which a thread loads four strided elements of each vector before it stores a product."""

from numba import cuda

PARAMETERS = ("block_size",)
EACH = 4  # elements per thread


@cuda.jit
def multiply(x, y, out):
    block = cuda.blockDim.x
    i = cuda.blockIdx.x * block * EACH + cuda.threadIdx.x
    if i + 3 * block < out.size:
        first = x[i] * y[i]
        second = x[i + block] * y[i + block]
        third = x[i + 2 * block] * y[i + 2 * block]
        fourth = x[i + 3 * block] * y[i + 3 * block]
        out[i], out[i + block] = first, second
        out[i + 2 * block], out[i + 3 * block] = third, fourth
    else:
        for k in range(i, out.size, block):
            out[k] = x[k] * y[k]


def prepare(case):
    return multiply[case.blocks(EACH), case.block_size, case.stream]
