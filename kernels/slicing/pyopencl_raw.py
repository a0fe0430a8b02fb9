"""OpenCL C, one work-item per element."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("slicing.cl",)


def prepare(case):
    slicing, rows = cl.Kernel(case.artifact("slicing.cl"), f"slicing_{case.dtype}"), len(range(0, case.size, 3))
    work_items, group = (case.blocks() * case.block_size, max(1, rows)), (case.block_size, 1)
    lengths = np.int64(rows), np.int64(case.size)

    def run(x, out):
        slicing(x.queue, work_items, group, *lengths, x.data, out.data)

    return run
