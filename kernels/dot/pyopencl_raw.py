"""OpenCL C in two launches: a local-memory tree per work-group, then a tree of the groups' sums."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array

PARAMETERS = ("block_size",)
SOURCES = ("dot.cl",)
GROUPS = 1024  # maximum number of work-groups; limits the sums left to the second launch


def prepare(case):
    dot, add_up = (cl.Kernel(case.artifact("dot.cl"), f"{name}_{case.dtype}") for name in ("dot", "add_up"))
    groups, group = min(case.blocks(), GROUPS), (case.block_size,)
    sums, product = cl_array.empty(case.queue, groups, case.dtype), cl_array.empty(case.queue, (), case.dtype)
    shared = cl.LocalMemory(case.block_size * case.itemsize)

    def run(x, y):
        work_items = (groups * case.block_size,)
        dot(x.queue, work_items, group, np.int64(case.size), x.data, y.data, sums.data, shared)
        add_up(x.queue, group, group, np.int64(groups), sums.data, product.data, shared)
        return product

    return run
