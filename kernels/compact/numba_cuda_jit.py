"""numba.cuda.jit, one thread per element: flags, their scan block by block, a scatter by its sums."""

import numpy as np
from numba import cuda, int64

PARAMETERS = ("block_size",)


@cuda.jit
def flag(x, kept):
    i = cuda.grid(1)
    if i < x.size:
        kept[i] = x[i] > 0.5


@cuda.jit
def scan(kept, sums):
    shared = cuda.shared.array(0, int64)
    i, me = cuda.grid(1), cuda.threadIdx.x
    shared[me] = kept[i] if i < kept.size else 0
    distance = 1
    while distance < cuda.blockDim.x:
        cuda.syncthreads()
        before = shared[me - distance] if me >= distance else 0
        cuda.syncthreads()
        shared[me] += before
        distance *= 2
    if i < kept.size:
        kept[i] = shared[me]
    if me == cuda.blockDim.x - 1:
        sums[cuda.blockIdx.x] = shared[me]


@cuda.jit
def add(kept, sums):
    i = cuda.grid(1)
    if i < kept.size and cuda.blockIdx.x > 0:
        kept[i] += sums[cuda.blockIdx.x - 1]


@cuda.jit
def scatter(x, kept, out, count):
    i = cuda.grid(1)
    if i == 0:
        count[0] = kept[x.size - 1] if x.size > 0 else 0
    # idea: the number kept up to it is its place; the number dropped, that of a zero from the end
    if i < x.size and x[i] > 0.5:
        out[kept[i] - 1] = x[i]
    elif i < x.size:
        out[x.size - 1 - (i - kept[i])] = 0
    # end of idea


def prepare(case):
    blocks, block, stream, shared_bytes = case.blocks(), case.block_size, case.stream, 8 * case.block_size
    if block == 1:
        raise NotImplementedError("blocks of one thread leave as many sums as there are elements")
    kept, count = cuda.device_array(case.size, np.int64), cuda.device_array(1, np.int64)
    levels = [cuda.device_array(blocks, np.int64)]  # the blocks' sums, then the sums of blocks of sums
    while levels[-1].size > 1:
        levels.append(cuda.device_array(case.blocks(n=levels[-1].size), np.int64))

    def sum_up(counts, level=0):
        sums = levels[level]
        scan[sums.size, block, stream, shared_bytes](counts, sums)
        if sums.size > 1:
            sum_up(sums, level + 1)
            add[sums.size, block, stream](counts, sums)

    def run(x, out):
        flag[blocks, block, stream](x, kept)
        sum_up(kept)
        scatter[blocks, block, stream](x, kept, out, count)
        return out, count

    return run
