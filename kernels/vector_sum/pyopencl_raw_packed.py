"""OpenCL C in two stages, 16 bytes per load: a local-memory tree per work-group, then a tree of their sums."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array

PARAMETERS = ("block_size",)
SOURCES = ("vector_sum_packed.cl",)
ITEMS = 16  # minimum number of elements per work-item, to outweigh the cost of the tree
RESIDENT = 2048  # maximum number of work-items per compute unit of a GPU: the limit of an H200


def prepare(case):
    vector_sum = cl.Kernel(case.artifact("vector_sum_packed.cl"), f"vector_sum_{case.dtype}")
    block = case.block_size
    items = ITEMS
    if not case.queue.device.type & cl.device_type.CPU:
        most = RESIDENT * case.queue.device.max_compute_units // block
        items = ITEMS * case.blocks(ITEMS * most)
    groups = case.blocks(items)
    sums = cl_array.empty(case.queue, groups, case.dtype)
    total = cl_array.empty(case.queue, (), case.dtype)
    shared = cl.LocalMemory(block * sums.dtype.itemsize)
    first = np.int64(case.size), np.int64(items)
    second = np.int64(groups), np.int64(case.blocks(n=groups))

    def run(x):
        vector_sum(x.queue, (groups * block,), (block,), *first, x.data, sums.data, shared)
        vector_sum(x.queue, (block,), (block,), *second, sums.data, total.data, shared)
        return total

    return run
