"""CUDA C, a bitonic network whose steps within a block share a launch, through PyCUDA's prepared calls."""

from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("sort_fused.cu",)


def prepare(case):
    n, block = case.size, case.block_size
    if block & (block - 1):
        raise NotImplementedError("blocks of a network have a power of two threads")
    module = driver.module_from_file(case.artifact("sort_fused.cu"))
    sort_tile = module.get_function(f"sort_tile_{case.dtype}").prepare("qiPP")
    sort_step = module.get_function(f"sort_step_{case.dtype}").prepare("qqiP")
    tile_bits, rounds, shared_bytes = block.bit_length(), (n - 1).bit_length(), 2 * block * case.itemsize
    tiles, grid = (case.blocks(2), 1), (case.blocks(n=2 ** max(0, rounds - 1)), 1)
    step = (grid, (block, 1, 1), case.stream, n)
    tile = (tiles, *step[1:])

    def run(x, out):
        x, out = x.gpudata, out.gpudata
        sort_tile.prepared_async_call(*tile, 0, x, out, shared_size=shared_bytes)
        for size in range(tile_bits, rounds):
            for stride in range(size, tile_bits - 1, -1):
                sort_step.prepared_async_call(*step, 2**stride, int(stride == size), out)
            sort_tile.prepared_async_call(*tile, 1, out, out, shared_size=shared_bytes)

    run.kernel = sort_tile
    return run
