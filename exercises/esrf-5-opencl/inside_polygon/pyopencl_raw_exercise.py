"""Exercise: OpenCL C, one work-item per pixel."""

import numpy as np

ALGORITHM = "pixel by pixel"
PARAMETERS = ("block_size",)
SOURCES = ("inside_polygon_exercise.cl",)


def prepare(case):
    raise NotImplementedError("write inside_polygon_exercise.cl, choose the work-items, then delete this line")
    kernel = case.artifact("inside_polygon_exercise.cl").inside_polygon_int32
    kernel.set_scalar_arg_dtypes([None, np.int64, None, np.int64, np.int64])
    columns, rows = case.block_size  # work-items of a group in each direction

    def run(polygon, mask):
        height, width = mask.shape
        work_items = (columns, rows)  # how many work-items, in whole groups, cover the mask? At least one group
        kernel(mask.queue, work_items, case.block_size, polygon.data, len(polygon), mask.data, height, width)

    return run
