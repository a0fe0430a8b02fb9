"""CUDA C through cupy.RawModule, the elements of a block's rows fetched in order of memory, summed in shared memory."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("spmv.cu",)
ELEMENTS = 5  # of the matrix per thread at a time, as in spmv.cu


def prepare(case):
    spmv = cp.RawModule(path=case.artifact("spmv.cu")).get_function(f"spmv_stream_{case.dtype}")
    rows, block, shared_bytes = case.size**2, (case.block_size,), ELEMENTS * case.block_size * case.itemsize
    grid = (case.blocks(n=rows),)
    return lambda *arrays: spmv(grid, block, (rows, *arrays), shared_mem=shared_bytes)
