"""CUDA C, one thread per 16 bytes of each vector, compiled ahead, launched through cuda.core."""

import numpy as np
from cuda.core import LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("scale_packed.cu",)


def prepare(case):
    scale = ObjectCode.from_fatbin(case.artifact("scale_packed.cu")).get_kernel(f"scale_{case.dtype}")
    config, n = LaunchConfig(grid=case.blocks(16 // case.itemsize), block=case.block_size), np.int64(case.size)
    return lambda factor, x, y: launch(case.stream, config, scale, n, factor, x.ptr, y.ptr)
