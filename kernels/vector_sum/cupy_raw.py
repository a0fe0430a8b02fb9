"""CUDA C in two launches by cupy.RawModule: a shared-memory tree per block, then a tree of the blocks' sums."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("vector_sum.cu",)
BLOCKS = 1024  # maximum number of blocks, and of sums for the second launch


def prepare(case):
    vector_sum = cp.RawModule(path=case.artifact("vector_sum.cu")).get_function(f"vector_sum_{case.dtype}")
    blocks, block, shared_bytes = min(case.blocks(), BLOCKS), (case.block_size,), case.block_size * case.itemsize
    sums, total = cp.empty(blocks, case.dtype), cp.empty((), case.dtype)

    def run(x):
        vector_sum((blocks,), block, (case.size, x, sums), shared_mem=shared_bytes)
        vector_sum((1,), block, (blocks, sums, total), shared_mem=shared_bytes)
        return total

    return run
