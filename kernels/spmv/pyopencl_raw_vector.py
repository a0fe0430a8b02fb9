"""OpenCL C, several work-items per row: 32 are what others call a warp per row."""

import numpy as np
import pyopencl as cl

PARAMETERS = {"block_size": None, "lanes": (4, 32)}
SOURCES = ("spmv.cl",)


def prepare(case):
    lanes = case.lanes
    if case.block_size % lanes:
        raise NotImplementedError(f"{lanes} work-items a row need groups of a multiple of {lanes}")
    spmv = cl.Kernel(case.artifact("spmv.cl"), f"spmv_vector_{case.dtype}")
    rows, group, sums = np.int64(case.size**2), (case.block_size,), cl.LocalMemory(case.block_size * case.itemsize)
    work_items = (case.blocks(n=rows * lanes) * case.block_size,)

    def run(*arrays):
        spmv(case.queue, work_items, group, rows, *(array.data for array in arrays), np.int32(lanes), sums)

    return run
