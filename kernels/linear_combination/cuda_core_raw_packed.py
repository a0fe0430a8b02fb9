"""CUDA C, one thread per 16 bytes of each vector, compiled ahead, launched through cuda.core."""

import numpy as np
from cuda.core import LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("linear_combination_packed.cu",)


def prepare(case):
    module = ObjectCode.from_fatbin(case.artifact("linear_combination_packed.cu"))
    linear_combination = module.get_kernel(f"linear_combination_{case.dtype}")
    config, n = LaunchConfig(grid=case.blocks(16 // case.itemsize), block=case.block_size), np.int64(case.size)
    return lambda a, x, b, y, z: launch(case.stream, config, linear_combination, n, a, x.ptr, b, y.ptr, z.ptr)
