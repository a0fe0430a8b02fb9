"""CUDA C in two launches through PyCUDA: each block counts what it keeps of its part, then moves it."""

import numpy as np
from pycuda import driver, gpuarray

PARAMETERS = ("block_size",)
SOURCES = ("compact_two_launches.cu",)
BLOCKS = 2048  # at most: each adds up the counts of all blocks before it
EACH = 8  # as in compact_two_launches.cu


def prepare(case):
    module, n, stream = driver.module_from_file(case.artifact("compact_two_launches.cu")), case.size, case.stream
    count = module.get_function(f"compact_count_{case.dtype}").prepare("qqPP")
    move = module.get_function(f"compact_move_{case.dtype}").prepare("qqPPPP")
    tiles_per_block = case.blocks(EACH * BLOCKS)
    grid, block = (case.blocks(EACH * tiles_per_block), 1), (case.block_size, 1, 1)
    items = tiles_per_block * case.block_size * EACH
    counts, total = gpuarray.empty(grid[0], np.int64), gpuarray.empty((), np.int64)
    one_each, shared_bytes = case.block_size * 8, case.block_size * (EACH + 1) * 4

    def run(x, out):
        parts = n, items, x.gpudata, counts.gpudata
        count.prepared_async_call(grid, block, stream, *parts, shared_size=one_each)
        move.prepared_async_call(grid, block, stream, *parts, out.gpudata, total.gpudata, shared_size=shared_bytes)
        return total

    run.kernel = move
    return run
