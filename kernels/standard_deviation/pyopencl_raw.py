"""OpenCL C in two passes, each a local-memory tree per work-group, then one over their sums."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array

PARAMETERS = ("block_size",)
SOURCES = ("standard_deviation.cl",)
GROUPS = 1024  # at most: each has much to add up, and the second launch little


def prepare(case):
    program, queue = case.artifact("standard_deviation.cl"), case.queue
    add_up, average = (cl.Kernel(program, f"{stage}_{case.dtype}") for stage in ("add_up", "average"))
    groups, shared = min(case.blocks(), GROUPS), cl.LocalMemory(case.block_size * case.itemsize)
    sums, mean, deviation = (cl_array.empty(queue, shape, case.dtype) for shape in (groups, 1, ()))
    work_items, group = (groups * case.block_size,), (case.block_size,)
    n, count = np.int64(case.size), np.int64(groups)

    def run(x):
        for squared in (np.int32(0), np.int32(1)):
            add_up(queue, work_items, group, n, x.data, mean.data, squared, sums.data, shared)
            average(queue, group, group, n, count, sums.data, mean.data, deviation.data, shared)
        return deviation

    return run
