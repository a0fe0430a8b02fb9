"""Numba CUDA kernels in two stages: a shared-memory tree per block, then a tree of the blocks' sums."""

from numba import cuda

PARAMETERS = ("block_size",)
ITEMS = 8  # minimum number of elements per thread
BLOCKS = 1024  # maximum number of blocks; limits the sums left to the second stage


@cuda.jit(device=True)
def add_up_block(shared, mine):
    me, active = cuda.threadIdx.x, cuda.blockDim.x
    shared[me] = mine
    while active > 1:  # if active is odd, the middle number stays
        middle = (active + 1) // 2
        cuda.syncthreads()
        if me < active - middle:
            shared[me] += shared[me + middle]
        active = middle


@cuda.jit
def dot(x, y, sums):
    shared = cuda.shared.array(0, x.dtype)
    mine = x.dtype.type(0)
    # idea: a thread adds up products with a stride of the grid's size; the block adds up its threads' sums
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        mine += x[i] * y[i]
    add_up_block(shared, mine)
    # end of idea
    if cuda.threadIdx.x == 0:
        sums[cuda.blockIdx.x] = shared[0]


@cuda.jit
def add_up(sums, product):
    shared = cuda.shared.array(0, sums.dtype)
    mine = sums.dtype.type(0)
    for i in range(cuda.threadIdx.x, sums.size, cuda.blockDim.x):
        mine += sums[i]
    add_up_block(shared, mine)
    if cuda.threadIdx.x == 0:
        product[0] = shared[0]


def prepare(case):
    blocks = min(case.blocks(ITEMS), BLOCKS)
    sums, product = cuda.device_array(blocks, case.dtype), cuda.device_array(1, case.dtype)
    shared_bytes = case.block_size * case.itemsize

    def run(x, y):
        dot[blocks, case.block_size, case.stream, shared_bytes](x, y, sums)
        add_up[1, case.block_size, case.stream, shared_bytes](sums, product)
        return product

    return run
