"""CUDA C through cupy.RawModule, one thread per point."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("mandelbrot.cu",)


def prepare(case):
    mandelbrot = cp.RawModule(path=case.artifact("mandelbrot.cu")).get_function(f"mandelbrot_{case.dtype}")
    grid, block = case.blocks(), case.block_size
    return lambda x, y, limit, counts: mandelbrot(grid, block, (case.size, x, y, limit, counts))
