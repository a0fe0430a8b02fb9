"""numba.cuda.jit: each block scans its elements, one a thread; the blocks' sums likewise, then added."""

from numba import cuda

PARAMETERS = ("block_size",)


@cuda.jit
def scan(x, out, sums):
    shared = cuda.shared.array(0, x.dtype)
    i, me = cuda.grid(1), cuda.threadIdx.x
    # idea: after each round a cell is the sum of twice as many elements up to its own
    shared[me] = x[i] if i < x.size else x.dtype.type(0)
    distance = 1
    while distance < cuda.blockDim.x:
        cuda.syncthreads()
        before = shared[me - distance] if me >= distance else x.dtype.type(0)
        cuda.syncthreads()
        shared[me] += before
        distance *= 2
    # end of idea
    if i < x.size:
        out[i] = shared[me]
    if me == cuda.blockDim.x - 1:
        sums[cuda.blockIdx.x] = shared[me]


@cuda.jit
def add(out, sums):
    i = cuda.grid(1)
    if i < out.size and cuda.blockIdx.x > 0:
        out[i] += sums[cuda.blockIdx.x - 1]


def prepare(case):
    block, stream, shared_bytes = case.block_size, case.stream, case.block_size * case.itemsize
    if block == 1:
        raise NotImplementedError("blocks of one thread leave as many sums as there are elements")
    levels = [cuda.device_array(case.blocks(), case.dtype)]  # the blocks' sums, then the sums of blocks of sums
    while levels[-1].size > 1:
        levels.append(cuda.device_array(case.blocks(n=levels[-1].size), case.dtype))

    def run(x, out, level=0):
        sums = levels[level]
        scan[sums.size, block, stream, shared_bytes](x, out, sums)
        if sums.size > 1:
            run(sums, sums, level + 1)
            add[sums.size, block, stream](out, sums)

    return run
