"""CUDA C, one thread per 16 bytes of a row, compiled ahead, launched through cupy.RawModule."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("slicing_packed.cu",)


def prepare(case):
    slicing = cp.RawModule(path=case.artifact("slicing_packed.cu")).get_function(f"slicing_{case.dtype}")
    rows, block = len(range(0, case.size, 3)), (case.block_size,)
    grid = case.blocks(16 // case.itemsize), max(1, rows)
    return lambda x, out: slicing(grid, block, (rows, case.size, x, out))
