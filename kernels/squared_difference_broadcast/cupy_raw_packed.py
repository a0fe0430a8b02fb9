"""CUDA C, one thread per 16 bytes of the matrix, compiled ahead, launched through cupy.RawModule."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("squared_difference_broadcast_packed.cu",)


def prepare(case):
    module = cp.RawModule(path=case.artifact("squared_difference_broadcast_packed.cu"))
    squared_difference = module.get_function(f"squared_difference_broadcast_{case.dtype}")
    columns, n, block = case.options["columns"], case.size * case.options["columns"], (case.block_size,)
    grid = (case.blocks(16 // case.itemsize, n),)
    return lambda x, y, out: squared_difference(grid, block, (n, columns, x, y, out))
