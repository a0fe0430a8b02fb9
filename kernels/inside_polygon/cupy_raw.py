"""CUDA C, a thread per 16 pixels of a row, compiled ahead of time, launched through cupy.RawModule."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("inside_polygon.cu",)
RUN = 16  # pixels, as in inside_polygon.cu


def prepare(case):
    kernel = cp.RawModule(path=case.artifact("inside_polygon.cu")).get_function("inside_polygon_int32")
    block_x, block_y = case.block_size

    def run(polygon, mask):
        height, width = mask.shape
        grid = max(1, -(-width // (RUN * block_x))), max(1, -(-height // block_y))
        kernel(grid, case.block_size, (polygon, len(polygon), mask, height, width))

    run.kernel = kernel
    return run
