"""OpenCL C, one work-item per element."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("scale.cl",)


def prepare(case):
    scale = cl.Kernel(case.artifact("scale.cl"), f"scale_{case.dtype}")
    work_items, group, n = (case.blocks() * case.block_size,), (case.block_size,), np.int64(case.size)

    def run(factor, x, y):
        scale(y.queue, work_items, group, n, factor, x.data, y.data)

    return run
