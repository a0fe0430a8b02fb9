"""OpenCL C, one work-item per row."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("spmv.cl",)


def prepare(case):
    spmv = cl.Kernel(case.artifact("spmv.cl"), f"spmv_scalar_{case.dtype}")
    rows, block = np.int64(case.size**2), case.block_size
    groups = max(1, -(-int(rows) // block))

    def run(data, indices, indptr, x, y):
        spmv(x.queue, (groups * block,), (block,), rows, data.data, indices.data, indptr.data, x.data, y.data)

    return run
