"""CUDA C, one thread per 16 bytes of each vector, precompiled, launched through cupy.RawModule."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("saxpy_packed.cu",)


def prepare(case):
    saxpy = cp.RawModule(path=case.artifact("saxpy_packed.cu")).get_function(f"saxpy_{case.dtype}")
    grid, block = (case.blocks(16 // case.itemsize),), (case.block_size,)
    return lambda a, x, y, out: saxpy(grid, block, (case.size, a, x, y, out))
