"""OpenCL C, one work-item per element: rows are read along, and columns written."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("transpose.cl",)


def prepare(case):
    transpose = cl.Kernel(case.artifact("transpose.cl"), f"transpose_{case.dtype}")
    group, n = case.block_size, np.int64(case.size)
    work_items = tuple(groups * extent for groups, extent in zip(case.blocks(), group, strict=True))

    def run(x, out):
        transpose(x.queue, work_items, group, n, x.data, out.data)

    return run
