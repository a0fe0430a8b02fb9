"""CUDA C through cupy.RawModule, one thread per point, a tile and its rim in shared memory."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("stencil_tiled.cu",)


def prepare(case):
    stencil = cp.RawModule(path=case.artifact("stencil_tiled.cu")).get_function(f"stencil_tiled_{case.dtype}")
    (bx, by), grid = case.block_size, case.blocks()
    shared_bytes = (bx + 2) * (by + 2) * case.itemsize
    return lambda x, out: stencil(grid, (bx, by), (case.size, x, out), shared_mem=shared_bytes)
