"""CUDA C through cupy.RawModule, several threads per row: 32 are a warp per row."""

import cupy as cp
import numpy as np

PARAMETERS = {"block_size": None, "lanes": (4, 32)}
SOURCES = ("spmv.cu",)


def prepare(case):
    lanes = case.lanes
    if case.block_size % lanes:
        raise NotImplementedError(f"{lanes} threads a row need blocks of a multiple of {lanes}")
    spmv = cp.RawModule(path=case.artifact("spmv.cu")).get_function(f"spmv_vector_{case.dtype}")
    rows, block = case.size**2, (case.block_size,)
    grid = (case.blocks(n=rows * lanes),)
    return lambda *arrays: spmv(grid, block, (rows, *arrays, np.int32(lanes)))
