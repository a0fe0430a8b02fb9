"""OpenCL C, several work-items per row: 32 are what others call a warp per row."""

import numpy as np
import pyopencl as cl

PARAMETERS = {"block_size": None, "lanes": (4, 32)}
SOURCES = ("spmv.cl",)


def prepare(case):
    lanes, block = case.lanes, case.block_size
    if block % lanes:
        raise NotImplementedError(f"{lanes} work-items a row need groups of a multiple of {lanes}")
    spmv = cl.Kernel(case.artifact("spmv.cl"), f"spmv_vector_{case.dtype}")
    rows = np.int64(case.size**2)
    groups = max(1, -(-int(rows) * lanes // block))
    sums = cl.LocalMemory(block * case.itemsize)

    def run(data, indices, indptr, x, y):
        arrays = (array.data for array in (data, indices, indptr, x, y))
        spmv(x.queue, (groups * block,), (block,), rows, *arrays, np.int32(lanes), sums)

    return run
