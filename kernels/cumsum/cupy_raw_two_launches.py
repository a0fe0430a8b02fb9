"""CUDA C in two launches through cupy.RawModule: each block adds up its part, then scans it from the sum before it."""

import cupy as cp
import numpy as np

PARAMETERS = ("block_size",)
SOURCES = ("cumsum_two_launches.cu",)
BLOCKS = 2048  # at most: each adds up the sums of all blocks before it


def prepare(case):
    module = cp.RawModule(path=case.artifact("cumsum_two_launches.cu"))
    block, dtype = (case.block_size,), np.dtype(case.dtype)
    add_up, scan = (module.get_function(f"cumsum_{step}_{dtype}") for step in ("add_up", "scan"))
    each = 32 // dtype.itemsize  # as in cumsum_two_launches.cu
    tiles_per_block = case.blocks(each * BLOCKS)
    grid = (case.blocks(each * tiles_per_block),)
    n, items = np.int64(case.size), np.int64(tiles_per_block * case.block_size * each)
    sums = cp.empty(grid, dtype)
    one_each, shared_bytes = (case.block_size * cells * dtype.itemsize for cells in (1, each + 1))

    def run(x, out):
        add_up(grid, block, (n, items, x, sums), shared_mem=one_each)
        scan(grid, block, (n, items, x, sums, out), shared_mem=shared_bytes)

    run.kernel = scan
    return run
