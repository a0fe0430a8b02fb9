"""CUDA C through cupy.RawModule, four points of a column per thread, from registers."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("stencil_register_tiled.cu",)
ROWS = 4  # per thread, as in stencil_register_tiled.cu


def prepare(case):
    stencil = cp.RawModule(path=case.artifact("stencil_register_tiled.cu")).get_function(
        f"stencil_register_tiled_{case.dtype}"
    )
    grid, block = case.blocks((1, ROWS)), case.block_size
    return lambda x, out: stencil(grid, block, (case.size, x, out))
