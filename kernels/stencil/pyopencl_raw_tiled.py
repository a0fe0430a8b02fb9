"""OpenCL C, one work-item per point, a tile and its rim in local memory."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("stencil.cl",)


def prepare(case):
    stencil = cl.Kernel(case.artifact("stencil.cl"), f"stencil_tiled_{case.dtype}")
    block = case.block_size
    work_items = tuple(max(1, -(-case.size // extent)) * extent for extent in block)
    n = np.int64(case.size)
    tile = cl.LocalMemory((block[0] + 2) * (block[1] + 2) * case.itemsize)

    def run(x, out):
        stencil(x.queue, work_items, block, n, x.data, out.data, tile)

    return run
