"""OpenCL C, one work-item per row."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("spmv.cl",)


def prepare(case):
    spmv = cl.Kernel(case.artifact("spmv.cl"), f"spmv_scalar_{case.dtype}")
    rows, group = np.int64(case.size**2), (case.block_size,)
    work_items = (case.blocks(n=rows) * case.block_size,)

    def run(*arrays):
        spmv(case.queue, work_items, group, rows, *(array.data for array in arrays))

    return run
