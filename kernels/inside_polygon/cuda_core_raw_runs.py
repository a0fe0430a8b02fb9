"""CUDA C, one thread per 16 pixels of a row, precompiled, launched through cuda.core."""

import numpy as np
from cuda.core import LaunchConfig, ObjectCode, launch

ALGORITHM = "runs of pixels"
PARAMETERS = ("block_size",)
SOURCES = ("inside_polygon_runs.cu",)
RUN = 16  # pixels per run, as in inside_polygon_runs.cu


def prepare(case):
    kernel = ObjectCode.from_fatbin(case.artifact("inside_polygon_runs.cu")).get_kernel("inside_polygon_int32")
    height, width = case.size, int(case.options["width"]) or case.size
    config = LaunchConfig(grid=case.blocks((RUN, 1), (width, height)), block=case.block_size)
    sizes = np.int64(height), np.int64(width)

    def run(polygon, mask):
        launch(case.stream, config, kernel, polygon.ptr, np.int64(polygon.shape[0]), mask.ptr, *sizes)

    return run
