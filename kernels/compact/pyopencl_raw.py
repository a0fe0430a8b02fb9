"""OpenCL C in two launches: each work-group counts what it keeps of its part, then moves it behind that of others."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array

PARAMETERS = ("block_size",)
SOURCES = ("compact.cl",)
GROUPS = 16  # per compute unit at most: each group adds up the counts of all before it
EACH = 8  # as in compact.cl


def prepare(case):
    program, block = case.artifact("compact.cl"), case.block_size
    count_kept, move = (cl.Kernel(program, f"compact_{step}_{case.dtype}") for step in ("count", "move"))
    tiles = case.blocks(EACH)
    tiles_per_group = -(-tiles // (GROUPS * case.queue.device.max_compute_units))
    work_items = (-(-tiles // tiles_per_group) * block,)
    n, items = np.int64(case.size), np.int64(tiles_per_group * block * EACH)
    counts = cl_array.empty(case.queue, work_items[0] // block, np.int64)
    total = cl_array.empty(case.queue, (), np.int64)
    one_each, tile = cl.LocalMemory(block * 8), cl.LocalMemory(block * (EACH + 1) * 4)

    def run(x, out):
        count_kept(x.queue, work_items, (block,), n, items, x.data, counts.data, one_each)
        move(x.queue, work_items, (block,), n, items, x.data, counts.data, out.data, total.data, one_each, tile)
        return total

    run.kernel = move
    return run
