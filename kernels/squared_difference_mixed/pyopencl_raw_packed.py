"""OpenCL C, one work-item per 16 bytes of y and of the result."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("squared_difference_mixed_packed.cl",)


def prepare(case):
    program, group, n = case.artifact("squared_difference_mixed_packed.cl"), (case.block_size,), np.int64(case.size)
    squared_difference = cl.Kernel(program, f"squared_difference_mixed_{case.dtype}")
    work_items = (case.blocks(16 // case.itemsize) * case.block_size,)

    def run(x, y, out):
        squared_difference(out.queue, work_items, group, n, x.data, y.data, out.data)

    return run
