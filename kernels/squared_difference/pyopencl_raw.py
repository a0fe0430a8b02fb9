"""OpenCL C, one work-item per element."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("squared_difference.cl",)


def prepare(case):
    squared_difference = cl.Kernel(case.artifact("squared_difference.cl"), f"squared_difference_{case.dtype}")
    work_items, group, n = (case.blocks() * case.block_size,), (case.block_size,), np.int64(case.size)

    def run(x, y, out):
        squared_difference(out.queue, work_items, group, n, x.data, y.data, out.data)

    return run
