"""CUDA C, one thread per element, compiled ahead, launched through cupy.RawModule."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("linear_combination.cu",)


def prepare(case):
    module = cp.RawModule(path=case.artifact("linear_combination.cu"))
    combine = module.get_function(f"linear_combination_{case.dtype}")
    grid, block = (case.blocks(),), (case.block_size,)
    return lambda a, x, b, y, z: combine(grid, block, (case.size, a, x, b, y, z))
