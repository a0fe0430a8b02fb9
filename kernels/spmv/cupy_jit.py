"""A Python function compiled to CUDA by cupyx.jit.rawkernel, one thread per row."""

import numpy as np
from cupyx import jit

PARAMETERS = ("block_size",)


def prepare(case):
    real = np.dtype(case.dtype).type

    @jit.rawkernel()
    def spmv(data, indices, indptr, x, y):
        row = np.int64(jit.blockIdx.x) * jit.blockDim.x + jit.threadIdx.x
        if row < y.size:
            total = real(0)
            for k in range(indptr[row], indptr[row + 1]):
                total += data[k] * x[indices[k]]
            y[row] = total

    return spmv[case.blocks(n=case.size**2), case.block_size]
