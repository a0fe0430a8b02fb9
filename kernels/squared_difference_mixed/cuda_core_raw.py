"""CUDA C, one thread per element, compiled ahead, launched through cuda.core."""

import numpy as np
from cuda.core import LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("squared_difference_mixed.cu",)


def prepare(case):
    module = ObjectCode.from_fatbin(case.artifact("squared_difference_mixed.cu"))
    squared_difference = module.get_kernel(f"squared_difference_mixed_{case.dtype}")
    config, n = LaunchConfig(grid=case.blocks(), block=case.block_size), np.int64(case.size)
    return lambda x, y, out: launch(case.stream, config, squared_difference, n, x.ptr, y.ptr, out.ptr)
