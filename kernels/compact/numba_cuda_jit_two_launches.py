"""numba.cuda.jit in two launches: each block counts what it keeps of its part, then moves it behind that of others."""

import numpy as np
from numba import cuda, int32

PARAMETERS = ("block_size",)
BLOCKS = 2048  # at most: each adds up the counts of all blocks before it
EACH = 8  # elements per thread and tile
ROW = EACH + 1  # cells of shared memory for them, and for their sum


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
def count(items, x, counts):
    shared = cuda.shared.array(0, int32)
    begin, mine = cuda.blockIdx.x * items, 0
    for i in range(begin + cuda.threadIdx.x, min(begin + items, x.size), cuda.blockDim.x):
        mine += x[i] > 0.5
    total = add_up_block(shared, mine)
    if cuda.threadIdx.x == 0:
        counts[cuda.blockIdx.x] = total


@cuda.jit
def move(items, x, counts, out, total):
    kept = cuda.shared.array(0, int32)
    me, size, begin = cuda.threadIdx.x, cuda.blockDim.x, cuda.blockIdx.x * items
    end = min(begin + items, x.size)
    start = 0
    for before in range(me, cuda.blockIdx.x, size):
        start += counts[before]
    start = add_up_block(kept, start)
    for tile in range(begin, end, size * EACH):
        cuda.syncthreads()
        for j in range(me, size * EACH, size):
            kept[j + j // EACH] = 1 if tile + j < end and x[tile + j] > 0.5 else 0
        cuda.syncthreads()
        # idea: how many are kept up to each element
        mine = 0
        for k in range(me * ROW, me * ROW + EACH):
            mine += kept[k]
            kept[k] = mine
        kept[me * ROW + EACH] = mine
        distance = 1
        while distance < size:
            cuda.syncthreads()
            other = kept[(me - distance) * ROW + EACH] if me >= distance else 0
            cuda.syncthreads()
            kept[me * ROW + EACH] += other
            distance *= 2
        # end of idea
        cuda.syncthreads()
        for i in range(tile + me, min(tile + size * EACH, end), size):
            owner = (i - tile) // EACH
            through = start + kept[i - tile + owner] + (kept[owner * ROW - 1] if owner else 0)
            if x[i] > 0.5:
                out[through - 1] = x[i]
            else:  # as many places from the end as were dropped before
                out[x.size - 1 - (i - through)] = 0
        start += kept[size * ROW - 1]
    if me == 0 and cuda.blockIdx.x == cuda.gridDim.x - 1:
        total[0] = start


def prepare(case):
    block = case.block_size
    tiles_per_block = case.blocks(EACH * BLOCKS)
    grid, items = case.blocks(EACH * tiles_per_block), tiles_per_block * block * EACH
    counts, total = cuda.device_array(grid, np.int64), cuda.device_array(1, np.int64)
    shared_bytes = block * ROW * 4
    count_parts, move_parts = count[grid, block, case.stream, block * 4], move[grid, block, case.stream, shared_bytes]

    def run(x, out):
        count_parts(items, x, counts)
        move_parts(items, x, counts, out, total)
        return out, total

    run.kernel = move
    return run
