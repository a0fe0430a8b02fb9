"""Python compiled by cupyx.jit.rawkernel: a shared-memory tree per block, and their sums added up by cupy.sum."""

import cupy as cp
import numpy as np
from cupyx import jit

PARAMETERS = ("block_size",)
ITEMS = 8  # per thread at least
THREADS = 2048  # per multiprocessor at most: all are resident at once, and each has much to add up


def prepare(case):
    real = np.dtype(case.dtype).type

    @jit.rawkernel()
    def dot(x, y, sums):
        shared = jit.shared_memory(real, None)
        me, block = jit.threadIdx.x, jit.blockDim.x
        mine = real(0)
        # idea: a thread adds up what lies a whole grid apart, the block its threads' sums
        for i in range(np.int64(jit.blockIdx.x) * block + me, x.size, np.int64(jit.gridDim.x) * block):
            mine += x[i] * y[i]
        shared[me] = mine
        active = block
        while active > 1:  # the upper half onto the lower; an odd one out waits
            middle = (active + 1) // 2
            jit.syncthreads()
            if me < active - middle:
                shared[me] += shared[me + middle]
            active = middle
        # end of idea
        if me == 0:
            sums[jit.blockIdx.x] = shared[0]

    most = THREADS // case.block_size * cp.cuda.Device().attributes["MultiProcessorCount"]
    blocks = min(case.blocks(ITEMS), most)
    sums = cp.empty(blocks, case.dtype)
    shared_bytes = case.block_size * sums.itemsize

    def run(x, y):
        dot((blocks,), (case.block_size,), (x, y, sums), shared_mem=shared_bytes)
        return cp.sum(sums)

    return run
