"""Python compiled by cupyx.jit.rawkernel in two stages: a shared-memory tree per block, then a tree of block sums."""

import cupy as cp
import numpy as np
from cupyx import jit

PARAMETERS = ("block_size",)
ITEMS = 8  # minimum number of elements per thread
THREADS = 2048  # maximum number of threads per multiprocessor: the limit of an H200


def prepare(case):
    real = np.dtype(case.dtype).type

    @jit.rawkernel()
    def vector_sum(x, sums):
        shared = jit.shared_memory(real, None)
        me, block = jit.threadIdx.x, jit.blockDim.x
        mine = real(0)
        # idea: each thread adds up strided elements, then the block adds up its threads' sums as a tree
        for i in range(np.int64(jit.blockIdx.x) * block + me, x.size, np.int64(jit.gridDim.x) * block):
            mine += x[i]
        shared[me] = mine
        active = block
        while active > 1:  # if active is odd, the middle sum is kept
            middle = (active + 1) // 2
            jit.syncthreads()
            if me < active - middle:
                shared[me] += shared[me + middle]
            active = middle
        # end of idea
        if me == 0:
            sums[jit.blockIdx.x] = shared[0]

    block = (case.block_size,)
    most = THREADS // case.block_size * cp.cuda.Device().attributes["MultiProcessorCount"]
    blocks = min(case.blocks(ITEMS), most)
    sums, total = cp.empty(blocks, case.dtype), cp.empty(1, case.dtype)
    shared_bytes = case.block_size * sums.itemsize

    def run(x):
        vector_sum((blocks,), block, (x, sums), shared_mem=shared_bytes)
        vector_sum((1,), block, (sums, total), shared_mem=shared_bytes)
        return total

    return run
