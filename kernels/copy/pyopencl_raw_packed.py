"""OpenCL C, one work-item per 16 bytes of each vector."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("copy_packed.cl",)


def prepare(case):
    copy = cl.Kernel(case.artifact("copy_packed.cl"), f"copy_{case.dtype}")
    group, n = (case.block_size,), np.int64(case.size)
    work_items = (case.blocks(16 // case.itemsize) * case.block_size,)

    def run(x, out):
        copy(out.queue, work_items, group, n, x.data, out.data)

    return run
