"""CUDA C through cupy.RawModule, one thread per element: rows are read along, and columns written."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("transpose.cu",)


def prepare(case):
    transpose = cp.RawModule(path=case.artifact("transpose.cu")).get_function(f"transpose_{case.dtype}")
    grid, block = case.blocks(), case.block_size
    return lambda x, out: transpose(grid, block, (case.size, x, out))
