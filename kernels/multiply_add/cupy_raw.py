"""CUDA C, one thread per element, precompiled, launched through cupy.RawModule."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("multiply_add.cu",)


def prepare(case):
    multiply_add = cp.RawModule(path=case.artifact("multiply_add.cu")).get_function(f"multiply_add_{case.dtype}")
    grid, block = (case.blocks(),), (case.block_size,)
    return lambda x1, x2, b, out: multiply_add(grid, block, (case.size, x1, x2, b, out))
