"""CUDA C, one thread per 16 bytes of each vector, compiled ahead, launched through cuda.core."""

import numpy as np
from cuda.core import LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("squared_difference_packed.cu",)


def prepare(case):
    module = ObjectCode.from_fatbin(case.artifact("squared_difference_packed.cu"))
    squared_difference = module.get_kernel(f"squared_difference_{case.dtype}")
    config, n = LaunchConfig(grid=case.blocks(16 // case.itemsize), block=case.block_size), np.int64(case.size)
    return lambda x, y, out: launch(case.stream, config, squared_difference, n, x.ptr, y.ptr, out.ptr)
