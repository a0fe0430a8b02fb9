"""OpenCL C, one work-item per element."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("elementwise_trig.cl",)


def prepare(case):
    trig = cl.Kernel(case.artifact("elementwise_trig.cl"), f"elementwise_trig_{case.dtype}")
    work_items, group, n = (case.blocks() * case.block_size,), (case.block_size,), np.int64(case.size)

    def run(x, out):
        trig(out.queue, work_items, group, n, x.data, out.data)

    return run
