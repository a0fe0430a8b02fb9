"""CUDA C through cupy.RawModule, one thread per row."""

import cupy as cp
import numpy as np

PARAMETERS = ("block_size",)
SOURCES = ("spmv.cu",)


def prepare(case):
    spmv = cp.RawModule(path=case.artifact("spmv.cu")).get_function(f"spmv_scalar_{case.dtype}")
    rows, block = np.int64(case.size**2), case.block_size
    blocks = max(1, -(-int(rows) // block))
    return lambda data, indices, indptr, x, y: spmv((blocks,), (block,), (rows, data, indices, indptr, x, y))
