"""Python compiled by cupyx.jit.rawkernel, one block with a shared-memory tree per row."""

import cupy as cp
import numpy as np
from cupyx import jit

PARAMETERS = ("block_size",)


def prepare(case):
    real = np.dtype(case.dtype).type

    @jit.rawkernel()
    def l2norm(x, columns, out):
        shared = jit.shared_memory(real, None)
        row, me, block = np.int64(jit.blockIdx.x), jit.threadIdx.x, jit.blockDim.x
        mine = real(0)
        for j in range(me, columns, block):
            mine += x[row, j] * x[row, j]
        shared[me] = mine
        active = block
        while active > 1:  # the upper half onto the lower; an odd one out waits
            middle = (active + 1) // 2
            jit.syncthreads()
            if me < active - middle:
                shared[me] += shared[me + middle]
            active = middle
        if me == 0:
            out[row] = cp.sqrt(shared[0])

    columns, shared_bytes = np.uint32(case.options["columns"]), case.block_size * case.itemsize

    def run(x, out):
        if len(x):  # a grid cannot be empty
            l2norm((len(x),), (case.block_size,), (x, columns, out), shared_mem=shared_bytes)

    return run
