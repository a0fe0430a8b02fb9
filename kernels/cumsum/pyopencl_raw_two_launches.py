"""OpenCL C in two launches: each work-group adds up its part, then scans it from the sum of the parts before."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array

PARAMETERS = ("block_size",)
SOURCES = ("cumsum_two_launches.cl",)
GROUPS = 16  # per compute unit at most: each group adds up the sums of all before it


def prepare(case):
    program, block, dtype = case.artifact("cumsum_two_launches.cl"), case.block_size, np.dtype(case.dtype)
    add_up, scan = (cl.Kernel(program, f"cumsum_{step}_{dtype}") for step in ("add_up", "scan"))
    each = 32 // dtype.itemsize  # as in cumsum_two_launches.cl
    tiles_per_group = case.blocks(each * GROUPS * case.queue.device.max_compute_units)
    groups = case.blocks(each * tiles_per_group)
    work_items = (groups * block,)
    n, items = np.int64(case.size), np.int64(tiles_per_group * block * each)
    sums = cl_array.empty(case.queue, groups, dtype)
    one_each, tile = (cl.LocalMemory(block * cells * dtype.itemsize) for cells in (1, each + 1))

    def run(x, out):
        add_up(x.queue, work_items, (block,), n, items, x.data, sums.data, one_each)
        scan(x.queue, work_items, (block,), n, items, x.data, sums.data, out.data, tile)

    run.kernel = scan
    return run
