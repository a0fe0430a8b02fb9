"""CUDA C, one thread per element, precompiled, launched through cupy.RawModule."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("saxpy.cu",)


def prepare(case):
    saxpy = cp.RawModule(path=case.artifact("saxpy.cu")).get_function(f"saxpy_{case.dtype}")
    grid, block = (case.blocks(),), (case.block_size,)
    return lambda a, x, y, out: saxpy(grid, block, (case.size, a, x, y, out))
