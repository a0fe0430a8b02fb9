"""OpenCL C, one work-item per number, atomic additions in global memory."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("histogram.cl",)


def prepare(case):
    histogram = cl.Kernel(case.artifact("histogram.cl"), f"histogram_{case.dtype}")
    work_items, group, n = (case.blocks() * case.block_size,), (case.block_size,), np.int64(case.size)
    zero = np.zeros(1, np.int32)

    def run(x, counts):
        cl.enqueue_fill_buffer(x.queue, counts.data, zero, 0, counts.nbytes)
        histogram(x.queue, work_items, group, n, np.int32(counts.size), x.data, counts.data)

    return run
