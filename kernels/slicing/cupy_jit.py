"""A Python function compiled to CUDA by cupyx.jit.rawkernel, a row of blocks for each row of the result."""

import numpy as np
from cupyx import jit

PARAMETERS = ("block_size",)


@jit.rawkernel()
def slicing(x, out):
    i = np.int64(jit.blockIdx.y)
    j = np.int64(jit.blockIdx.x) * jit.blockDim.x + jit.threadIdx.x
    if i < out.shape[0] and j < out.shape[1]:
        out[i, j] = x[3 * i, j]


def prepare(case):
    return slicing[(case.blocks(), max(1, len(range(0, case.size, 3)))), case.block_size]
