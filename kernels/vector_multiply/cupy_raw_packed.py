"""CUDA C, one thread per 16 bytes of each vector, precompiled, launched through cupy.RawModule."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("vector_multiply_packed.cu",)


def prepare(case):
    module = cp.RawModule(path=case.artifact("vector_multiply_packed.cu"))
    multiply = module.get_function(f"vector_multiply_{case.dtype}")
    grid, block = (case.blocks(16 // case.itemsize),), (case.block_size,)
    return lambda x, y, out: multiply(grid, block, (case.size, x, y, out))
