"""CUDA C, one thread per 16 bytes of the matrix, compiled ahead, launched through cupy.RawModule."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("squared_difference_broadcast_packed.cu",)


def prepare(case):
    module, columns = (
        cp.RawModule(path=case.artifact("squared_difference_broadcast_packed.cu")),
        case.options["columns"],
    )
    squared_difference, n = module.get_function(f"squared_difference_broadcast_{case.dtype}"), case.size * columns
    grid, block = (case.blocks(16 // case.itemsize, n),), (case.block_size,)
    return lambda x, y, out: squared_difference(grid, block, (n, columns, x, y, out))
