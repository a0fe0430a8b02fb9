"""CUDA C through cupy.RawModule, one thread per row."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("spmv.cu",)


def prepare(case):
    spmv = cp.RawModule(path=case.artifact("spmv.cu")).get_function(f"spmv_scalar_{case.dtype}")
    rows, block = case.size**2, (case.block_size,)
    grid = (case.blocks(n=rows),)
    return lambda *arrays: spmv(grid, block, (rows, *arrays))
