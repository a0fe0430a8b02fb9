"""CUDA C, one thread per element, precompiled, launched through cupy.RawModule."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("scale.cu",)


def prepare(case):
    scale = cp.RawModule(path=case.artifact("scale.cu")).get_function(f"scale_{case.dtype}")
    grid, block = (case.blocks(),), (case.block_size,)
    return lambda factor, x, y: scale(grid, block, (case.size, factor, x, y))
