"""OpenCL C, one work-item per 16 bytes of each vector."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("scale_packed.cl",)


def prepare(case):
    scale = cl.Kernel(case.artifact("scale_packed.cl"), f"scale_{case.dtype}")
    group, n = (case.block_size,), np.int64(case.size)
    work_items = (case.blocks(16 // case.itemsize) * case.block_size,)

    def run(factor, x, y):
        scale(y.queue, work_items, group, n, factor, x.data, y.data)

    return run
