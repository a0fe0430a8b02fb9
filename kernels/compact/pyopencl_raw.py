"""OpenCL C, one work-item per element: flags, their scan group by group, a scatter by its sums."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array

PARAMETERS = ("block_size",)
SOURCES = ("compact.cl",)


def prepare(case):
    if case.block_size == 1:
        raise NotImplementedError("groups of one work-item leave as many sums as there are elements")
    queue, program, block, n = case.queue, case.artifact("compact.cl"), case.block_size, np.int64(case.size)
    names = f"flag_{case.dtype}", "scan", "add", f"scatter_{case.dtype}"
    flag, scan, add, scatter = (cl.Kernel(program, name) for name in names)
    each, shared = (queue, (case.blocks() * block,), (block,), n), cl.LocalMemory(8 * block)
    kept, count = cl_array.empty(queue, case.size, np.int64), cl_array.empty(queue, (), np.int64)
    levels = [cl_array.empty(queue, case.blocks(), np.int64)]  # the groups' sums, then the sums of groups of sums
    while levels[-1].size > 1:
        levels.append(cl_array.empty(queue, case.blocks(n=levels[-1].size), np.int64))

    def sum_up(counts, level=0):
        sums = levels[level]
        parts = queue, (sums.size * block,), (block,), np.int64(counts.size), counts.data, sums.data
        scan(*parts, shared)
        if sums.size > 1:
            sum_up(sums, level + 1)
            add(*parts)

    def run(x, out):
        flag(*each, x.data, kept.data)
        sum_up(kept)
        scatter(*each, x.data, kept.data, out.data, count.data)
        return count

    return run
