"""OpenCL C, one work-item per 16 bytes."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("fill_packed.cl",)


def prepare(case):
    fill = cl.Kernel(case.artifact("fill_packed.cl"), f"fill_{case.dtype}")
    group, n = (case.block_size,), np.int64(case.size)
    work_items = (case.blocks(16 // case.itemsize) * case.block_size,)

    def run(out):
        fill(out.queue, work_items, group, n, out.data)

    return run
