"""OpenCL C, one work-item per element."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("softplus.cl",)


def prepare(case):
    softplus = cl.Kernel(case.artifact("softplus.cl"), f"softplus_{case.dtype}")
    work_items, group, n = (case.blocks() * case.block_size,), (case.block_size,), np.int64(case.size)

    def run(x, out):
        softplus(out.queue, work_items, group, n, x.data, out.data)

    return run
