"""OpenCL C, one work-item per 16 bytes of each vector."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("squared_difference_packed.cl",)


def prepare(case):
    squared_difference = cl.Kernel(case.artifact("squared_difference_packed.cl"), f"squared_difference_{case.dtype}")
    group, n = (case.block_size,), np.int64(case.size)
    work_items = (case.blocks(16 // case.itemsize) * case.block_size,)

    def run(x, y, out):
        squared_difference(out.queue, work_items, group, n, x.data, y.data, out.data)

    return run
