"""CUDA C, one thread per 16 pixels of a row, precompiled, launched through cupy.RawModule."""

import cupy as cp

ALGORITHM = "runs of pixels"
PARAMETERS = ("block_size",)
SOURCES = ("inside_polygon_runs.cu",)
RUN = 16  # pixels per run, as in inside_polygon_runs.cu


def prepare(case):
    kernel = cp.RawModule(path=case.artifact("inside_polygon_runs.cu")).get_function("inside_polygon_int32")
    height, width = case.size, int(case.options["width"]) or case.size
    grid = case.blocks((RUN, 1), (width, height))
    return lambda polygon, mask: kernel(grid, case.block_size, (polygon, len(polygon), mask, height, width))
