"""CUDA C through cupy.RawModule in two launches: a shared-memory tree per block, then a tree of the blocks' sums."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("dot.cu",)
BLOCKS = 1024  # maximum number of blocks; limits the sums left to the second launch


def prepare(case):
    module = cp.RawModule(path=case.artifact("dot.cu"))
    dot, add_up = (module.get_function(f"{name}_{case.dtype}") for name in ("dot", "add_up"))
    blocks, block, shared_bytes = min(case.blocks(), BLOCKS), (case.block_size,), case.block_size * case.itemsize
    sums, product = cp.empty(blocks, case.dtype), cp.empty((), case.dtype)

    def run(x, y):
        dot((blocks,), block, (case.size, x, y, sums), shared_mem=shared_bytes)
        add_up((1,), block, (blocks, sums, product), shared_mem=shared_bytes)
        return product

    return run
