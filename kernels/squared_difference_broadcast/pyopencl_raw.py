"""OpenCL C, one work-item per 16 bytes of the matrix."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("squared_difference_broadcast.cl",)


def prepare(case):
    program = case.artifact("squared_difference_broadcast.cl")
    squared_difference = cl.Kernel(program, f"squared_difference_broadcast_{case.dtype}")
    block, columns = case.block_size, case.options["columns"]
    n = case.size * columns
    each = 16 // np.dtype(case.dtype).itemsize
    groups = max(1, -(-n // (block * each)))
    lengths = np.int64(n), np.int64(columns)

    def run(x, y, out):
        squared_difference(x.queue, (groups * block,), (block,), *lengths, x.data, y.data, out.data)

    run.kernel = squared_difference
    return run
