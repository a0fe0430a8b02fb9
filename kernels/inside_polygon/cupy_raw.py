"""CUDA C, one thread per pixel, precompiled, launched through cupy.RawModule."""

import cupy as cp

ALGORITHM = "pixel by pixel"
PARAMETERS = ("block_size",)
SOURCES = ("inside_polygon.cu",)


def prepare(case):
    kernel = cp.RawModule(path=case.artifact("inside_polygon.cu")).get_function("inside_polygon_int32")
    height, width = case.size, int(case.options["width"]) or case.size
    grid = case.blocks(n=(width, height))
    return lambda polygon, mask: kernel(grid, case.block_size, (polygon, len(polygon), mask, height, width))
