"""CUDA C through cupy.RawModule, one thread per point, neighbours from global memory and its caches."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("stencil.cu",)


def prepare(case):
    stencil = cp.RawModule(path=case.artifact("stencil.cu")).get_function(f"stencil_{case.dtype}")
    grid, block = case.blocks(), case.block_size
    return lambda x, out: stencil(grid, block, (case.size, x, out))
