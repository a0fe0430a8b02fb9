"""CUDA C through cupy.RawModule, several threads per row: 32 are a warp per row."""

import cupy as cp
import numpy as np

PARAMETERS = {"block_size": None, "lanes": (4, 32)}
SOURCES = ("spmv.cu",)


def prepare(case):
    lanes, block = case.lanes, case.block_size
    if block % lanes:
        raise NotImplementedError(f"{lanes} threads a row need blocks of a multiple of {lanes}")
    spmv = cp.RawModule(path=case.artifact("spmv.cu")).get_function(f"spmv_vector_{case.dtype}")
    rows = np.int64(case.size**2)
    blocks = max(1, -(-int(rows) * lanes // block))

    def run(data, indices, indptr, x, y):
        spmv((blocks,), (block,), (rows, data, indices, indptr, x, y, np.int32(lanes)))

    return run
