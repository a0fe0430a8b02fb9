"""CUDA C in two launches through cupy.RawModule: each block adds up its part, then scans it from the sum before it."""

import cupy as cp
import numpy as np

PARAMETERS = ("block_size",)
SOURCES = ("cumsum.cu",)
BLOCKS = 2048  # at most: each adds up the sums of all before it


def prepare(case):
    module, block, dtype = cp.RawModule(path=case.artifact("cumsum.cu")), (case.block_size,), np.dtype(case.dtype)
    add_up, scan = (module.get_function(f"cumsum_{step}_{dtype}") for step in ("add_up", "scan"))
    each = 32 // dtype.itemsize  # as in cumsum.cu
    tiles = case.blocks(each)
    tiles_per_block = -(-tiles // BLOCKS)
    grid = (-(-tiles // tiles_per_block),)
    n, items = np.int64(case.size), np.int64(tiles_per_block * case.block_size * each)
    sums = cp.empty(grid, dtype)
    one_each, shared_bytes = (case.block_size * cells * dtype.itemsize for cells in (1, each + 1))

    def run(x, out):
        add_up(grid, block, (n, items, x, sums), shared_mem=one_each)
        scan(grid, block, (n, items, x, sums, out), shared_mem=shared_bytes)

    run.kernel = scan
    return run
