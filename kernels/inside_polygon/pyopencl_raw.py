"""OpenCL C, one work-item per pixel."""

import numpy as np

ALGORITHM = "pixel by pixel"
PARAMETERS = ("block_size",)
SOURCES = ("inside_polygon.cl",)


def prepare(case):
    kernel = case.artifact("inside_polygon.cl").inside_polygon_int32
    kernel.set_scalar_arg_dtypes([None, np.int64, None, np.int64, np.int64])
    height, width = case.size, int(case.options["width"]) or case.size
    groups, (block_x, block_y) = case.blocks(n=(width, height)), case.block_size
    work_items = groups[0] * block_x, groups[1] * block_y

    def run(polygon, mask):
        kernel(mask.queue, work_items, case.block_size, polygon.data, len(polygon), mask.data, height, width)

    return run
