"""Python compiled by cupyx.jit.rawkernel, one block with a shared-memory tree."""

import cupy as cp
import numpy as np
from cupyx import jit

PARAMETERS = ("block_size",)


def prepare(case):
    real = np.dtype(case.dtype).type

    @jit.rawkernel()
    def trace(a, n, total):
        shared = jit.shared_memory(real, None)
        me, block = jit.threadIdx.x, jit.blockDim.x
        mine = real(0)
        for i in range(me, n, block):
            mine += a[i, i]
        shared[me] = mine
        active = block
        while active > 1:  # the upper half onto the lower; an odd one out waits
            middle = (active + 1) // 2
            jit.syncthreads()
            if me < active - middle:
                shared[me] += shared[me + middle]
            active = middle
        if me == 0:
            total[0] = shared[0]

    n, total = np.uint32(case.size), cp.empty(1, case.dtype)
    shared_bytes = case.block_size * total.itemsize

    def run(a):
        trace((1,), (case.block_size,), (a, n, total), shared_mem=shared_bytes)
        return total

    return run
