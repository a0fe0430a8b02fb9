"""OpenCL C, one work-item per 16 bytes of each vector."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("softplus_packed.cl",)


def prepare(case):
    softplus = cl.Kernel(case.artifact("softplus_packed.cl"), f"softplus_{case.dtype}")
    group, n = (case.block_size,), np.int64(case.size)
    work_items = (case.blocks(16 // case.itemsize) * case.block_size,)

    def run(x, out):
        softplus(out.queue, work_items, group, n, x.data, out.data)

    return run
