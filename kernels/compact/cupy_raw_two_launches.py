"""CUDA C in two launches through cupy.RawModule: each block counts what it keeps of its part, then moves it."""

import cupy as cp
import numpy as np

PARAMETERS = ("block_size",)
SOURCES = ("compact_two_launches.cu",)
BLOCKS = 2048  # at most: each adds up the counts of all blocks before it
EACH = 8  # as in compact_two_launches.cu


def prepare(case):
    module, block = cp.RawModule(path=case.artifact("compact_two_launches.cu")), (case.block_size,)
    count, move = (module.get_function(f"compact_{step}_{case.dtype}") for step in ("count", "move"))
    tiles_per_block = case.blocks(EACH * BLOCKS)
    grid = (case.blocks(EACH * tiles_per_block),)
    n, items = np.int64(case.size), np.int64(tiles_per_block * case.block_size * EACH)
    counts, total = cp.empty(grid, cp.int64), cp.empty((), cp.int64)
    one_each, shared_bytes = case.block_size * 8, case.block_size * (EACH + 1) * 4

    def run(x, out):
        count(grid, block, (n, items, x, counts), shared_mem=one_each)
        move(grid, block, (n, items, x, counts, out, total), shared_mem=shared_bytes)
        return total

    run.kernel = move
    return run
