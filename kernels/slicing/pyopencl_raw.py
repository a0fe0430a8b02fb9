"""OpenCL C, one work-item per 16 bytes of a row."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("slicing.cl",)


def prepare(case):
    slicing = cl.Kernel(case.artifact("slicing.cl"), f"slicing_{case.dtype}")
    rows, columns, block = -(-case.size // 3), case.size, case.block_size
    each = 16 // np.dtype(case.dtype).itemsize
    items = max(1, -(-columns // (block * each))) * block, max(1, rows)
    lengths = np.int64(rows), np.int64(columns)

    def run(x, out):
        slicing(x.queue, items, (block, 1), *lengths, x.data, out.data)

    run.kernel = slicing
    return run
