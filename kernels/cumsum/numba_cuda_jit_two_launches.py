"""numba.cuda.jit in two launches: each block adds up its part, then scans it from the sum of those before it."""

from numba import cuda

PARAMETERS = ("block_size",)
BLOCKS = 2048  # at most: each adds up the sums of all blocks before it


@cuda.jit(device=True)
def add_up_block(shared, mine):
    me, active = cuda.threadIdx.x, cuda.blockDim.x
    shared[me] = mine
    while active > 1:  # the upper half onto the lower; an odd one out waits
        middle = (active + 1) // 2
        cuda.syncthreads()
        if me < active - middle:
            shared[me] += shared[me + middle]
        active = middle
    cuda.syncthreads()
    return shared[0]


@cuda.jit
def add_up(items, x, sums):
    shared = cuda.shared.array(0, x.dtype)
    begin = cuda.blockIdx.x * items
    mine = x.dtype.type(0)
    for i in range(begin + cuda.threadIdx.x, min(begin + items, x.size), cuda.blockDim.x):
        mine += x[i]
    total = add_up_block(shared, mine)
    if cuda.threadIdx.x == 0:
        sums[cuda.blockIdx.x] = total


@cuda.jit
def scan(items, each, x, sums, out):
    shared = cuda.shared.array(0, x.dtype)  # `each` cells per thread and one for their sum
    me, size, row = cuda.threadIdx.x, cuda.blockDim.x, each + 1
    begin = cuda.blockIdx.x * items
    end = min(begin + items, x.size)
    start = x.dtype.type(0)
    for before in range(me, cuda.blockIdx.x, size):
        start += sums[before]
    start = add_up_block(shared, start)
    for tile in range(begin, end, size * each):
        cuda.syncthreads()
        for j in range(me, size * each, size):
            shared[j + j // each] = x[tile + j] if tile + j < end else x.dtype.type(0)
        cuda.syncthreads()
        # idea: each thread scans its own, the block the sums, by doubling
        total = x.dtype.type(0)
        for k in range(me * row, me * row + each):
            total += shared[k]
            shared[k] = total
        shared[me * row + each] = total
        distance = 1
        while distance < size:
            cuda.syncthreads()
            other = shared[(me - distance) * row + each] if me >= distance else x.dtype.type(0)
            cuda.syncthreads()
            shared[me * row + each] += other
            distance *= 2
        # end of idea
        cuda.syncthreads()
        for j in range(me, min(size * each, end - tile), size):
            before = shared[j // each * row - 1] if j >= each else x.dtype.type(0)
            out[tile + j] = start + (before + shared[j + j // each])
        start += shared[size * row - 1]


def prepare(case):
    block, itemsize = case.block_size, case.itemsize
    each = 32 // itemsize
    tiles_per_block = case.blocks(each * BLOCKS)
    grid, items = case.blocks(each * tiles_per_block), tiles_per_block * block * each
    sums = cuda.device_array(grid, case.dtype)
    shared_bytes = block * (each + 1) * itemsize
    add_up_parts = add_up[grid, block, case.stream, block * itemsize]
    scan_parts = scan[grid, block, case.stream, shared_bytes]

    def run(x, out):
        add_up_parts(items, x, sums)
        scan_parts(items, each, x, sums, out)

    run.kernel = scan
    return run
