"""OpenCL C, one work-item per 16 bytes of the matrix."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("squared_difference_broadcast_packed.cl",)


def prepare(case):
    program, columns = case.artifact("squared_difference_broadcast_packed.cl"), case.options["columns"]
    squared_difference, n = cl.Kernel(program, f"squared_difference_broadcast_{case.dtype}"), case.size * columns
    work_items, group = (case.blocks(16 // case.itemsize, n) * case.block_size,), (case.block_size,)
    lengths = np.int64(n), np.int64(columns)

    def run(x, y, out):
        squared_difference(out.queue, work_items, group, *lengths, x.data, y.data, out.data)

    return run
