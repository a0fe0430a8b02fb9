"""Numba CUDA kernel, a histogram per block in shared memory, which it adds to the whole one."""

from numba import cuda, int32

PARAMETERS = ("block_size",)
BLOCKS = 1024  # at most: each has much to count
SHARED_MEMORY = 48 * 1024  # bytes that any kernel may have


@cuda.jit
def clear(counts):
    k = cuda.grid(1)
    if k < counts.size:
        counts[k] = 0


@cuda.jit
def histogram(x, counts):
    of_block, me, block = cuda.shared.array(0, int32), cuda.threadIdx.x, cuda.blockDim.x
    # idea: a histogram of the block's own, which it adds to the whole one
    for k in range(me, counts.size, block):
        of_block[k] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        cuda.atomic.add(of_block, int(x[i] * x.dtype.type(counts.size)), 1)
    cuda.syncthreads()
    for k in range(me, counts.size, block):
        cuda.atomic.add(counts, k, of_block[k])
    # end of idea


def prepare(case):
    blocks, block, stream = min(case.blocks(), BLOCKS), case.block_size, case.stream
    shared_bytes = 4 * 2 ** int(case.options["bits"])
    if shared_bytes > SHARED_MEMORY:
        raise NotImplementedError(f"needs {shared_bytes} bytes of shared memory, more than {SHARED_MEMORY}")

    def run(x, counts):
        clear[case.blocks(n=counts.size), block, stream](counts)
        histogram[blocks, block, stream, shared_bytes](x, counts)

    run.kernel = histogram
    return run
