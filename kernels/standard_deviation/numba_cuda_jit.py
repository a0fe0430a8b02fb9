"""Numba CUDA in one pass, shifted by the first element: a shared-memory tree per block, then one over their sums."""

import math

import numba
from numba import cuda

PARAMETERS = ("block_size",)
ITEMS = 8  # per thread at least
BLOCKS = 1024  # at most: each has much to add up, and the second stage little


@cuda.jit(device=True)
def add_up_block(shared, total, squares):
    """shared[0] and shared[1]: the block's sums of total and of squares."""
    me, active = cuda.threadIdx.x, cuda.blockDim.x
    shared[2 * me], shared[2 * me + 1] = total, squares
    while active > 1:  # the upper half onto the lower; an odd one out waits
        middle = (active + 1) // 2
        cuda.syncthreads()
        if me < active - middle:
            shared[2 * me] += shared[2 * (me + middle)]
            shared[2 * me + 1] += shared[2 * (me + middle) + 1]
        active = middle


@cuda.jit
def add_up(x, sums):
    shared = cuda.shared.array(0, numba.float64)
    total = squares = 0.0
    # idea: both sums in one pass, shifted by the first element
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        shifted = numba.float64(x[i]) - numba.float64(x[0])
        total += shifted
        squares += shifted * shifted
    # end of idea
    add_up_block(shared, total, squares)
    if cuda.threadIdx.x == 0:
        sums[cuda.blockIdx.x, 0], sums[cuda.blockIdx.x, 1] = shared[0], shared[1]


@cuda.jit
def finish(n, sums, deviation):
    shared = cuda.shared.array(0, numba.float64)
    total = squares = 0.0
    for i in range(cuda.threadIdx.x, sums.shape[0], cuda.blockDim.x):
        total += sums[i, 0]
        squares += sums[i, 1]
    add_up_block(shared, total, squares)
    if cuda.threadIdx.x == 0:
        deviation[0] = math.sqrt(shared[1] / n - (shared[0] / n) ** 2)


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("Python divides by the number of elements, and there are none")
    n, block, stream, shared_bytes = case.size, case.block_size, case.stream, 16 * case.block_size
    blocks = min(case.blocks(ITEMS), BLOCKS)
    sums, deviation = cuda.device_array((blocks, 2), "float64"), cuda.device_array(1, case.dtype)

    def run(x):
        add_up[blocks, block, stream, shared_bytes](x, sums)
        finish[1, block, stream, shared_bytes](n, sums, deviation)
        return deviation

    return run
