"""OpenCL C, one work-item per element."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("squared_difference_mixed.cl",)


def prepare(case):
    program, group, n = case.artifact("squared_difference_mixed.cl"), (case.block_size,), np.int64(case.size)
    squared_difference = cl.Kernel(program, f"squared_difference_mixed_{case.dtype}")
    work_items = (case.blocks() * case.block_size,)

    def run(x, y, out):
        squared_difference(out.queue, work_items, group, n, x.data, y.data, out.data)

    return run
