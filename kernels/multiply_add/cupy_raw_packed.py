"""CUDA C, one thread per 16 bytes of each vector, compiled ahead, launched through cupy.RawModule."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("multiply_add_packed.cu",)


def prepare(case):
    module = cp.RawModule(path=case.artifact("multiply_add_packed.cu"))
    multiply_add = module.get_function(f"multiply_add_{case.dtype}")
    grid, block = (case.blocks(16 // case.itemsize),), (case.block_size,)
    return lambda x1, x2, b, out: multiply_add(grid, block, (case.size, x1, x2, b, out))
