"""CUDA C through cupy.RawModule, tiled in shared memory, four elements of a column per thread."""

import cupy as cp

ALGORITHM = "tiles"
PARAMETERS = ("block_size",)
SOURCES = ("matmul_tiled.cu",)
EACH, EXTENTS = 4, (8, 16, 32)  # rows per thread and extents of blocks, as in matmul_tiled.cu


def prepare(case):
    bx, by = case.block_size
    if bx not in EXTENTS or by not in EXTENTS:
        raise NotImplementedError(f"no tile of {bx}x{by} threads is compiled: extents are {EXTENTS}")
    module = cp.RawModule(path=case.artifact("matmul_tiled.cu"))
    matmul = module.get_function(f"matmul_tiled_{bx}x{by}_{case.dtype}")
    grid = case.blocks((1, EACH))
    return lambda a, b, out: matmul(grid, (bx, by), (case.size, a, b, out))
