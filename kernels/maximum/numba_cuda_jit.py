"""Python compiled by numba.cuda.jit in two stages: a shared-memory tree per block, then one over their maxima."""

import numpy as np
from numba import cuda

PARAMETERS = ("block_size",)
ITEMS = 8  # per thread at least
BLOCKS = 1024  # at most: each has much to compare, and the second stage little


@cuda.jit
def maximum(x, lowest, maxima):
    shared = cuda.shared.array(0, x.dtype)
    me, active = cuda.threadIdx.x, cuda.blockDim.x
    mine = lowest
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        mine = max(mine, x[i])
    shared[me] = mine
    while active > 1:  # the upper half against the lower; an odd one out waits
        middle = (active + 1) // 2
        cuda.syncthreads()
        if me < active - middle:
            shared[me] = max(shared[me], shared[me + middle])
        active = middle
    if me == 0:
        maxima[cuda.blockIdx.x] = shared[0]


def prepare(case):
    blocks = min(case.blocks(ITEMS), BLOCKS)
    maxima, largest = cuda.device_array(blocks, case.dtype), cuda.device_array(1, case.dtype)
    lowest, shared_bytes = np.finfo(case.dtype).min, case.block_size * case.itemsize

    def run(x):
        maximum[blocks, case.block_size, case.stream, shared_bytes](x, lowest, maxima)
        maximum[1, case.block_size, case.stream, shared_bytes](maxima, lowest, largest)
        return largest

    return run
