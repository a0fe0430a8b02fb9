"""OpenCL C, one work-item per element."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("saxpy.cl",)


def prepare(case):
    saxpy = cl.Kernel(case.artifact("saxpy.cl"), f"saxpy_{case.dtype}")
    work_items, group, n = (case.blocks() * case.block_size,), (case.block_size,), np.int64(case.size)

    def run(a, x, y, out):
        saxpy(out.queue, work_items, group, n, a, x.data, y.data, out.data)

    return run
