"""OpenCL C, one work-item per element."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("copy.cl",)


def prepare(case):
    copy = cl.Kernel(case.artifact("copy.cl"), f"copy_{case.dtype}")
    work_items, group, n = (case.blocks() * case.block_size,), (case.block_size,), np.int64(case.size)

    def run(x, out):
        copy(out.queue, work_items, group, n, x.data, out.data)

    return run
