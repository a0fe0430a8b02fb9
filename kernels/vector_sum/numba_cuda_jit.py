"""Numba CUDA kernels in two stages: a shared-memory tree per block, then a tree of the blocks' sums."""

from numba import cuda

PARAMETERS = ("block_size",)
ITEMS = 8  # minimum number of elements per thread
BLOCKS = 1024  # maximum number of blocks, and of sums for the second stage


@cuda.jit
def vector_sum(x, sums):
    shared = cuda.shared.array(0, x.dtype)
    me, active = cuda.threadIdx.x, cuda.blockDim.x
    mine = x.dtype.type(0)
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        mine += x[i]
    shared[me] = mine
    # idea: the upper half of the sums is added to the lower half, until one sum is left
    while active > 1:  # if active is odd, the middle sum is kept
        middle = (active + 1) // 2
        cuda.syncthreads()
        if me < active - middle:
            shared[me] += shared[me + middle]
        active = middle
    # end of idea
    if me == 0:
        sums[cuda.blockIdx.x] = shared[0]


def prepare(case):
    blocks = min(case.blocks(ITEMS), BLOCKS)
    sums, total = cuda.device_array(blocks, case.dtype), cuda.device_array(1, case.dtype)
    shared_bytes = case.block_size * case.itemsize

    def run(x):
        vector_sum[blocks, case.block_size, case.stream, shared_bytes](x, sums)
        vector_sum[1, case.block_size, case.stream, shared_bytes](sums, total)
        return total

    return run
