"""OpenCL C in two stages, 16 bytes a load: a local-memory tree per work-group, then one over their maxima."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array

PARAMETERS = ("block_size",)
SOURCES = ("maximum_packed.cl",)
ITEMS = 16  # per work-item at least: long enough to pay for the tree
RESIDENT = 2048  # work-items per compute unit of a GPU at most: all run at once, and each has much to compare


def prepare(case):
    maximum = cl.Kernel(case.artifact("maximum_packed.cl"), f"maximum_{case.dtype}")
    block = case.block_size
    items = ITEMS
    if not case.queue.device.type & cl.device_type.CPU:
        most = RESIDENT * case.queue.device.max_compute_units // block
        items = ITEMS * case.blocks(ITEMS * most)
    groups = case.blocks(items)
    maxima = cl_array.empty(case.queue, groups, case.dtype)
    largest = cl_array.empty(case.queue, (), case.dtype)
    shared = cl.LocalMemory(block * maxima.dtype.itemsize)
    first = np.int64(case.size), np.int64(items)
    second = np.int64(groups), np.int64(case.blocks(n=groups))

    def run(x):
        maximum(x.queue, (groups * block,), (block,), *first, x.data, maxima.data, shared)
        maximum(x.queue, (block,), (block,), *second, maxima.data, largest.data, shared)
        return largest

    return run
