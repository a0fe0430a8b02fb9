"""OpenCL C in two launches, a local-memory tree per work-group, then one over their maxima."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array

PARAMETERS = ("block_size",)
SOURCES = ("maximum.cl",)
GROUPS = 1024  # at most: each has much to compare, and the second launch little


def prepare(case):
    maximum, queue = cl.Kernel(case.artifact("maximum.cl"), f"maximum_{case.dtype}"), case.queue
    groups, group = min(case.blocks(), GROUPS), (case.block_size,)
    shared = cl.LocalMemory(case.block_size * case.itemsize)
    maxima, largest = cl_array.empty(queue, groups, case.dtype), cl_array.empty(queue, (), case.dtype)

    def run(x):
        maximum(queue, (groups * case.block_size,), group, np.int64(case.size), x.data, maxima.data, shared)
        maximum(queue, group, group, np.int64(groups), maxima.data, largest.data, shared)
        return largest

    return run
