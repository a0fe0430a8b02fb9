"""CUDA C, one thread per element, compiled ahead, launched through cuda.core."""

import numpy as np
from cuda.core import LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("fill.cu",)


def prepare(case):
    fill = ObjectCode.from_fatbin(case.artifact("fill.cu")).get_kernel(f"fill_{case.dtype}")
    config, n = LaunchConfig(grid=case.blocks(), block=case.block_size), np.int64(case.size)
    return lambda out: launch(case.stream, config, fill, n, out.ptr)
