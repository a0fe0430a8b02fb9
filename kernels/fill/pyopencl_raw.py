"""OpenCL C, one work-item per element."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("fill.cl",)


def prepare(case):
    fill = cl.Kernel(case.artifact("fill.cl"), f"fill_{case.dtype}")
    work_items, group, n = (case.blocks() * case.block_size,), (case.block_size,), np.int64(case.size)

    def run(out):
        fill(out.queue, work_items, group, n, out.data)

    return run
