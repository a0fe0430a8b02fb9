"""Python compiled by cupyx.jit.rawkernel, one thread per element."""

import numpy as np
from cupyx import jit

PARAMETERS = ("block_size",)


@jit.rawkernel()
def multiply(x, y, out):
    i = np.int64(jit.blockIdx.x) * jit.blockDim.x + jit.threadIdx.x
    if i < out.size:
        out[i] = x[i] * y[i]


def prepare(case):
    return multiply[case.blocks(), case.block_size]
