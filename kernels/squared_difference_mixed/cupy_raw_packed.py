"""CUDA C, one thread per 16 bytes of y and of the result, compiled ahead, launched through cupy.RawModule."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("squared_difference_mixed_packed.cu",)


def prepare(case):
    module = cp.RawModule(path=case.artifact("squared_difference_mixed_packed.cu"))
    squared_difference = module.get_function(f"squared_difference_mixed_{case.dtype}")
    grid, block = (case.blocks(16 // case.itemsize),), (case.block_size,)
    return lambda x, y, out: squared_difference(grid, block, (case.size, x, y, out))
