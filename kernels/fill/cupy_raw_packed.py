"""CUDA C, one thread per 16 bytes, compiled ahead, launched through cupy.RawModule."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("fill_packed.cu",)


def prepare(case):
    fill = cp.RawModule(path=case.artifact("fill_packed.cu")).get_function(f"fill_{case.dtype}")
    grid, block = (case.blocks(16 // case.itemsize),), (case.block_size,)
    return lambda out: fill(grid, block, (case.size, out))
