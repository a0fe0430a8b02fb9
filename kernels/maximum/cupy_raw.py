"""CUDA C in two launches by cupy.RawModule: a shared-memory tree per block, then a tree of the blocks' maxima."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("maximum.cu",)
BLOCKS = 1024  # maximum number of blocks; limits the maxima left to the second launch


def prepare(case):
    maximum = cp.RawModule(path=case.artifact("maximum.cu")).get_function(f"maximum_{case.dtype}")
    blocks, block, shared_bytes = min(case.blocks(), BLOCKS), (case.block_size,), case.block_size * case.itemsize
    maxima, largest = cp.empty(blocks, case.dtype), cp.empty((), case.dtype)

    def run(x):
        maximum((blocks,), block, (case.size, x, maxima), shared_mem=shared_bytes)
        maximum((1,), block, (blocks, maxima, largest), shared_mem=shared_bytes)
        return largest

    return run
