"""CUDA C in two launches through PyCUDA: each block adds up its part, then scans it from the sum before it."""

import numpy as np
from pycuda import driver, gpuarray

PARAMETERS = ("block_size",)
SOURCES = ("cumsum_two_launches.cu",)
BLOCKS = 2048  # at most: each adds up the sums of all blocks before it


def prepare(case):
    module = driver.module_from_file(case.artifact("cumsum_two_launches.cu"))
    n, stream, dtype = case.size, case.stream, case.dtype
    add_up = module.get_function(f"cumsum_add_up_{dtype}").prepare("qqPP")
    scan = module.get_function(f"cumsum_scan_{dtype}").prepare("qqPPP")
    size = np.dtype(dtype).itemsize
    each, block = 32 // size, (case.block_size, 1, 1)  # each as in cumsum_two_launches.cu
    tiles_per_block = case.blocks(each * BLOCKS)
    grid, items = (case.blocks(each * tiles_per_block), 1), tiles_per_block * case.block_size * each
    sums = gpuarray.empty(grid[0], dtype)
    one_each, shared_bytes = (case.block_size * cells * size for cells in (1, each + 1))

    def run(x, out):
        parts = n, items, x.gpudata, sums.gpudata
        add_up.prepared_async_call(grid, block, stream, *parts, shared_size=one_each)
        scan.prepared_async_call(grid, block, stream, *parts, out.gpudata, shared_size=shared_bytes)

    run.kernel = scan
    return run
