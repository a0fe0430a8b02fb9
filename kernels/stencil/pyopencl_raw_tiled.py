"""OpenCL C, one work-item per point, a tile and its rim in local memory."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("stencil_tiled.cl",)


def prepare(case):
    stencil = cl.Kernel(case.artifact("stencil_tiled.cl"), f"stencil_tiled_{case.dtype}")
    (bx, by), n = case.block_size, np.int64(case.size)
    work_items = tuple(groups * extent for groups, extent in zip(case.blocks(), (bx, by), strict=True))
    tile = cl.LocalMemory((bx + 2) * (by + 2) * case.itemsize)

    def run(x, out):
        stencil(x.queue, work_items, (bx, by), n, x.data, out.data, tile)

    return run
