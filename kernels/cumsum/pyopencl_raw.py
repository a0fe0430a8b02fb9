"""OpenCL C: each work-group scans its elements, one a work-item; the groups' sums likewise, then added."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array

PARAMETERS = ("block_size",)
SOURCES = ("cumsum.cl",)


def prepare(case):
    if case.block_size == 1:
        raise NotImplementedError("groups of one work-item leave as many sums as there are elements")
    queue, program, block = case.queue, case.artifact("cumsum.cl"), case.block_size
    scan, add = (cl.Kernel(program, f"{step}_{case.dtype}") for step in ("scan", "add"))
    shared = cl.LocalMemory(block * case.itemsize)
    levels = [cl_array.empty(queue, case.blocks(), case.dtype)]  # the groups' sums, then the sums of groups of sums
    while levels[-1].size > 1:
        levels.append(cl_array.empty(queue, case.blocks(n=levels[-1].size), case.dtype))

    def run(x, out, level=0):
        sums, n = levels[level], np.int64(x.size)
        scan(queue, (sums.size * block,), (block,), n, x.data, out.data, sums.data, shared)
        if sums.size > 1:
            run(sums, sums, level + 1)
            add(queue, (sums.size * block,), (block,), n, out.data, sums.data)

    return run
