"""Numba CUDA kernels, a bitonic network whose steps within a block share a launch."""

from numba import cuda

PARAMETERS = ("block_size",)


@cuda.jit(device=True)
def order(numbers, n, pair, stride, mirrored):
    low = 2 * pair - (pair & (stride - 1))
    high = low ^ (2 * stride - 1 if mirrored else stride)
    if high < n and numbers[low] > numbers[high]:
        numbers[low], numbers[high] = numbers[high], numbers[low]


@cuda.jit
def sort_step(stride, mirrored, out):
    order(out, out.size, cuda.grid(1), stride, mirrored)


@cuda.jit
def sort_tile(sorted_before, given, out):
    tile = cuda.shared.array(0, out.dtype)
    me, block = cuda.threadIdx.x, cuda.blockDim.x
    first = 2 * block * cuda.blockIdx.x
    count = min(2 * block, out.size - first)
    for i in range(me, count, block):
        tile[i] = given[first + i]
    # idea: a tile is sorted, or, within runs that are being merged, merged to the end, in shared memory
    run = block if sorted_before else 1
    while run <= block:
        stride = run
        while stride > 0:
            cuda.syncthreads()
            order(tile, count, me, stride, stride == run and not sorted_before)
            stride //= 2
        run *= 2
    # end of idea
    cuda.syncthreads()
    for i in range(me, count, block):
        out[first + i] = tile[i]


def prepare(case):
    block, stream = case.block_size, case.stream
    if block & (block - 1):
        raise NotImplementedError("blocks of a network have a power of two threads")
    tile_bits, rounds, shared_bytes = block.bit_length(), (case.size - 1).bit_length(), 2 * block * case.itemsize
    tiles = sort_tile[case.blocks(2), block, stream, shared_bytes]
    steps = sort_step[case.blocks(n=2 ** max(0, rounds - 1)), block, stream]

    def run(x, out):
        tiles(False, x, out)
        for size in range(tile_bits, rounds):
            for stride in range(size, tile_bits - 1, -1):
                steps(2**stride, stride == size, out)
            tiles(True, out, out)

    run.kernel = sort_tile
    return run
