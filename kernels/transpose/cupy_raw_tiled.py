"""CUDA C through cupy.RawModule, through a tile in shared memory, whose columns share their banks."""

import cupy as cp
import numpy as np

PARAMETERS = ("block_size",)
SOURCES = ("transpose_tiled.cu",)
SHARED_MEMORY = 48 * 1024  # bytes that any kernel may have


def prepare(case):
    (bx, by), (tiles, _) = case.block_size, case.blocks()
    width = bx
    shared_bytes = bx * width * case.itemsize
    if shared_bytes > SHARED_MEMORY:
        raise NotImplementedError(f"needs {shared_bytes} bytes of shared memory, more than {SHARED_MEMORY}")
    module = cp.RawModule(path=case.artifact("transpose_tiled.cu"))
    transpose, grid = module.get_function(f"transpose_tiled_{case.dtype}"), (tiles, tiles)
    return lambda x, out: transpose(grid, (bx, by), (case.size, x, out, np.int32(width)), shared_mem=shared_bytes)
