"""Python compiled by cupyx.jit.rawkernel in two stages: a shared-memory tree per block, then one over their maxima."""

import cupy as cp
import numpy as np
from cupyx import jit

PARAMETERS = ("block_size",)
ITEMS = 8  # per thread at least
THREADS = 2048  # per multiprocessor at most: all are resident at once, and each has much to compare


def prepare(case):
    real = np.dtype(case.dtype).type

    @jit.rawkernel()
    def maximum(x, maxima, lowest):
        shared = jit.shared_memory(real, None)
        me, block = jit.threadIdx.x, jit.blockDim.x
        mine = lowest
        # idea: a thread keeps the largest of what lies a whole grid apart, then the block, as a tree
        for i in range(np.int64(jit.blockIdx.x) * block + me, x.size, np.int64(jit.gridDim.x) * block):
            mine = max(mine, x[i])
        shared[me] = mine
        active = block
        while active > 1:  # the upper half against the lower; an odd one out waits
            middle = (active + 1) // 2
            jit.syncthreads()
            if me < active - middle:
                shared[me] = max(shared[me], shared[me + middle])
            active = middle
        # end of idea
        if me == 0:
            maxima[jit.blockIdx.x] = shared[0]

    block, lowest = (case.block_size,), np.finfo(case.dtype).min
    most = THREADS // case.block_size * cp.cuda.Device().attributes["MultiProcessorCount"]
    blocks = min(case.blocks(ITEMS), most)
    maxima, largest = cp.empty(blocks, case.dtype), cp.empty(1, case.dtype)
    shared_bytes = case.block_size * maxima.itemsize

    def run(x):
        maximum((blocks,), block, (x, maxima, lowest), shared_mem=shared_bytes)
        maximum((1,), block, (maxima, largest, lowest), shared_mem=shared_bytes)
        return largest

    return run
