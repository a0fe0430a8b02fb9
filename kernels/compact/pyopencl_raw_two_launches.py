"""OpenCL C in two launches: each work-group counts what it keeps of its part, then moves it behind that of others."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array

PARAMETERS = ("block_size",)
SOURCES = ("compact_two_launches.cl",)
GROUPS = 16  # per compute unit at most: each group adds up the counts of all before it
EACH = 8  # as in compact_two_launches.cl


def prepare(case):
    program, block = case.artifact("compact_two_launches.cl"), case.block_size
    count_kept, move = (cl.Kernel(program, f"compact_{step}_{case.dtype}") for step in ("count", "move"))
    tiles_per_group = case.blocks(EACH * GROUPS * case.queue.device.max_compute_units)
    groups = case.blocks(EACH * tiles_per_group)
    work_items = (groups * block,)
    n, items = np.int64(case.size), np.int64(tiles_per_group * block * EACH)
    counts = cl_array.empty(case.queue, groups, np.int64)
    total = cl_array.empty(case.queue, (), np.int64)
    one_each, tile = cl.LocalMemory(block * 8), cl.LocalMemory(block * (EACH + 1) * 4)

    def run(x, out):
        count_kept(x.queue, work_items, (block,), n, items, x.data, counts.data, one_each)
        move(x.queue, work_items, (block,), n, items, x.data, counts.data, out.data, total.data, one_each, tile)
        return total

    run.kernel = move
    return run
