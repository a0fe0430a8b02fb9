"""CUDA C, one thread per 16 bytes, compiled ahead, launched through cuda.core."""

import numpy as np
from cuda.core import LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("fill_packed.cu",)


def prepare(case):
    fill = ObjectCode.from_fatbin(case.artifact("fill_packed.cu")).get_kernel(f"fill_{case.dtype}")
    config, n = LaunchConfig(grid=case.blocks(16 // case.itemsize), block=case.block_size), np.int64(case.size)
    return lambda out: launch(case.stream, config, fill, n, out.ptr)
