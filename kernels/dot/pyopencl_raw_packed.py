"""OpenCL C in two stages, 16 bytes per load: a local-memory tree per work-group, then a tree of the groups' sums."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array

PARAMETERS = ("block_size",)
SOURCES = ("dot_packed.cl",)
ITEMS = 16  # minimum number of elements per work-item, to outweigh the cost of the tree
RESIDENT = 2048  # maximum number of work-items per compute unit of a GPU, all resident at once


def prepare(case):
    program, block = case.artifact("dot_packed.cl"), case.block_size
    dot, add_up = (cl.Kernel(program, f"{name}_{case.dtype}") for name in ("dot", "add_up"))
    items = ITEMS
    if not case.queue.device.type & cl.device_type.CPU:
        most = RESIDENT * case.queue.device.max_compute_units // block
        items = ITEMS * case.blocks(ITEMS * most)
    groups = case.blocks(items)
    sums = cl_array.empty(case.queue, groups, case.dtype)
    product = cl_array.empty(case.queue, (), case.dtype)
    shared = cl.LocalMemory(block * sums.dtype.itemsize)
    n, items, count = np.int64(case.size), np.int64(items), np.int64(groups)

    def run(x, y):
        dot(x.queue, (groups * block,), (block,), n, items, x.data, y.data, sums.data, shared)
        add_up(x.queue, (block,), (block,), count, sums.data, product.data, shared)
        return product

    return run
