"""CUDA C, one thread per element, compiled ahead, launched through cupy.RawModule."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("fill.cu",)


def prepare(case):
    fill = cp.RawModule(path=case.artifact("fill.cu")).get_function(f"fill_{case.dtype}")
    grid, block = (case.blocks(),), (case.block_size,)
    return lambda out: fill(grid, block, (case.size, out))
