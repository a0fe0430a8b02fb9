"""CUDA C, one thread per element, compiled ahead, launched through cuda.core."""

import numpy as np
from cuda.core import LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("multiply_add.cu",)


def prepare(case):
    multiply_add = ObjectCode.from_fatbin(case.artifact("multiply_add.cu")).get_kernel(f"multiply_add_{case.dtype}")
    config, n = LaunchConfig(grid=case.blocks(), block=case.block_size), np.int64(case.size)
    return lambda x1, x2, b, out: launch(case.stream, config, multiply_add, n, x1.ptr, x2.ptr, b, out.ptr)
