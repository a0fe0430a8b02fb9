"""OpenCL C in two launches: a local-memory tree per work-group, then a tree of the groups' sums."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array

PARAMETERS = ("block_size",)
SOURCES = ("vector_sum.cl",)
GROUPS = 1024  # maximum number of work-groups, and of sums for the second launch


def prepare(case):
    vector_sum, queue = cl.Kernel(case.artifact("vector_sum.cl"), f"vector_sum_{case.dtype}"), case.queue
    groups, group = min(case.blocks(), GROUPS), (case.block_size,)
    shared = cl.LocalMemory(case.block_size * case.itemsize)
    sums, total = cl_array.empty(queue, groups, case.dtype), cl_array.empty(queue, (), case.dtype)

    def run(x):
        vector_sum(queue, (groups * case.block_size,), group, np.int64(case.size), x.data, sums.data, shared)
        vector_sum(queue, group, group, np.int64(groups), sums.data, total.data, shared)
        return total

    return run
