"""OpenCL C, one work-group: each work-item adds up its part of the diagonal, a local-memory tree their sums."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array

PARAMETERS = ("block_size",)
SOURCES = ("trace.cl",)


def prepare(case):
    trace = cl.Kernel(case.artifact("trace.cl"), f"trace_{case.dtype}")
    block, n = (case.block_size,), np.int64(case.size)
    total = cl_array.empty(case.queue, (), case.dtype)
    shared = cl.LocalMemory(case.block_size * total.dtype.itemsize)

    def run(a):
        trace(a.queue, block, block, n, a.data, total.data, shared)
        return total

    return run
