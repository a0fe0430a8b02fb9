"""OpenCL C, one work-item per point, neighbours from global memory and its caches."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("stencil.cl",)


def prepare(case):
    stencil = cl.Kernel(case.artifact("stencil.cl"), f"stencil_{case.dtype}")
    group, n = case.block_size, np.int64(case.size)
    work_items = tuple(groups * extent for groups, extent in zip(case.blocks(), group, strict=True))

    def run(x, out):
        stencil(x.queue, work_items, group, n, x.data, out.data)

    return run
