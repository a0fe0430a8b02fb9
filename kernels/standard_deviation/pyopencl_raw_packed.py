"""OpenCL C in two passes, 16 bytes a load: a local-memory tree per work-group, then one over their sums."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array

PARAMETERS = ("block_size",)
SOURCES = ("standard_deviation_packed.cl",)
ITEMS = 16  # per work-item at least: long enough to pay for the tree
RESIDENT = 2048  # work-items per compute unit of a GPU at most: all run at once, and each has much to add up


def prepare(case):
    program = case.artifact("standard_deviation_packed.cl")
    add_up, average = (cl.Kernel(program, f"{stage}_{case.dtype}") for stage in ("add_up", "average"))
    queue, block, items, n = case.queue, case.block_size, ITEMS, case.size
    if not queue.device.type & cl.device_type.CPU:
        items = ITEMS * case.blocks(ITEMS * (RESIDENT * queue.device.max_compute_units // block))
    groups = case.blocks(items)
    sums, mean, result = (cl_array.empty(queue, shape, case.dtype) for shape in (groups, 1, ()))
    shared = cl.LocalMemory(block * sums.dtype.itemsize)
    first = (groups * block,), (block,), np.int64(n), np.int64(items)
    second = (block,), (block,), np.int64(n), np.int64(groups), sums.data, mean.data, result.data, shared

    def run(x):
        for squared in (np.int32(0), np.int32(1)):
            add_up(x.queue, *first, x.data, mean.data, squared, sums.data, shared)
            average(x.queue, *second)
        return result

    return run
