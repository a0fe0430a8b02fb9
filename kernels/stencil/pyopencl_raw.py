"""OpenCL C, one work-item per point, neighbours from global memory and its caches."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("stencil.cl",)


def prepare(case):
    stencil = cl.Kernel(case.artifact("stencil.cl"), f"stencil_{case.dtype}")
    block = case.block_size
    work_items = tuple(max(1, -(-case.size // extent)) * extent for extent in block)
    n = np.int64(case.size)

    def run(x, out):
        stencil(x.queue, work_items, block, n, x.data, out.data)

    return run
