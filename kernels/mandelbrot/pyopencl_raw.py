"""OpenCL C, one work-item per point."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("mandelbrot.cl",)


def prepare(case):
    mandelbrot = cl.Kernel(case.artifact("mandelbrot.cl"), f"mandelbrot_{case.dtype}")
    group, n = case.block_size, np.int64(case.size)
    work_items = tuple(groups * extent for groups, extent in zip(case.blocks(), group, strict=True))

    def run(x, y, limit, counts):
        mandelbrot(x.queue, work_items, group, n, x.data, y.data, limit, counts.data)

    return run
