"""OpenCL C, one work-item per 16 bytes of each vector."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("saxpy_packed.cl",)


def prepare(case):
    saxpy = cl.Kernel(case.artifact("saxpy_packed.cl"), f"saxpy_{case.dtype}")
    group, n = (case.block_size,), np.int64(case.size)
    work_items = (case.blocks(16 // case.itemsize) * case.block_size,)

    def run(a, x, y, out):
        saxpy(out.queue, work_items, group, n, a, x.data, y.data, out.data)

    return run
