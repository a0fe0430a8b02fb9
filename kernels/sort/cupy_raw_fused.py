"""CUDA C, a bitonic network whose steps within a block share a launch, through cupy.RawModule."""

import cupy as cp
import numpy as np

PARAMETERS = ("block_size",)
SOURCES = ("sort_fused.cu",)


def prepare(case):
    n, block = case.size, case.block_size
    if block & (block - 1):
        raise NotImplementedError("blocks of a network have a power of two threads")
    module = cp.RawModule(path=case.artifact("sort_fused.cu"))
    sort_tile, sort_step = (module.get_function(f"sort_{part}_{case.dtype}") for part in ("tile", "step"))
    tile_bits, rounds, shared_bytes = block.bit_length(), (n - 1).bit_length(), 2 * block * case.itemsize
    tiles, grid = (case.blocks(2),), (case.blocks(n=2 ** max(0, rounds - 1)),)

    def run(x, out):
        sort_tile(tiles, (block,), (n, np.int32(0), x, out), shared_mem=shared_bytes)
        for size in range(tile_bits, rounds):
            for stride in range(size, tile_bits - 1, -1):
                sort_step(grid, (block,), (n, 2**stride, np.int32(stride == size), out))
            sort_tile(tiles, (block,), (n, np.int32(1), out, out), shared_mem=shared_bytes)

    run.kernel = sort_tile
    return run
