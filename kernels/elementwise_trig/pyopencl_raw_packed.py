"""OpenCL C, one work-item per 16 bytes of each vector."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("elementwise_trig_packed.cl",)


def prepare(case):
    trig = cl.Kernel(case.artifact("elementwise_trig_packed.cl"), f"elementwise_trig_{case.dtype}")
    group, n = (case.block_size,), np.int64(case.size)
    work_items = (case.blocks(16 // case.itemsize) * case.block_size,)

    def run(x, out):
        trig(out.queue, work_items, group, n, x.data, out.data)

    return run
