"""CUDA C through cupy.RawModule, the elements of a block's rows fetched in order of memory, summed in shared memory."""

import cupy as cp
import numpy as np

PARAMETERS = ("block_size",)
SOURCES = ("spmv.cu",)
ELEMENTS = 5  # of the matrix a thread at a time, as in spmv.cu


def prepare(case):
    spmv = cp.RawModule(path=case.artifact("spmv.cu")).get_function(f"spmv_stream_{case.dtype}")
    rows, block = np.int64(case.size**2), case.block_size
    blocks = max(1, -(-int(rows) // block))
    shared_bytes = ELEMENTS * block * case.itemsize

    def run(data, indices, indptr, x, y):
        spmv((blocks,), (block,), (rows, data, indices, indptr, x, y), shared_mem=shared_bytes)

    return run
