"""OpenCL C, a work-item per 16 pixels of a row."""

import numpy as np

PARAMETERS = ("block_size",)
SOURCES = ("inside_polygon.cl",)
RUN = 16  # pixels, as in inside_polygon.cl


def prepare(case):
    kernel = case.artifact("inside_polygon.cl").inside_polygon_int32
    kernel.set_scalar_arg_dtypes([None, np.int64, None, np.int64, np.int64])
    block_x, block_y = case.block_size

    def run(polygon, mask):
        height, width = mask.shape
        grid = max(1, -(-width // (RUN * block_x))) * block_x, max(1, -(-height // block_y)) * block_y
        kernel(mask.queue, grid, case.block_size, polygon.data, len(polygon), mask.data, height, width)

    run.kernel = kernel
    return run
