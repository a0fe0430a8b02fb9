"""CUDA C, one thread per element, precompiled, launched through cupy.RawModule."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("vector_multiply.cu",)


def prepare(case):
    multiply = cp.RawModule(path=case.artifact("vector_multiply.cu")).get_function(f"vector_multiply_{case.dtype}")
    grid, block = (case.blocks(),), (case.block_size,)
    return lambda x, y, out: multiply(grid, block, (case.size, x, y, out))
