"""A Python function compiled to CUDA by cupyx.jit.rawkernel, one thread per element."""

import cupy as cp
import numpy as np
from cupyx import jit

PARAMETERS = ("block_size",)


@jit.rawkernel()
def softplus(x, out):
    i = np.int64(jit.blockIdx.x) * jit.blockDim.x + jit.threadIdx.x
    if i < out.size:
        if x[i] > 0:
            out[i] = x[i] + cp.log1p(cp.exp(-x[i]))
        else:
            out[i] = cp.log1p(cp.exp(x[i]))


def prepare(case):
    return softplus[case.blocks(), case.block_size]
