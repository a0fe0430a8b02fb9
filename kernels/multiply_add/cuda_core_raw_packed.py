"""CUDA C, one thread per 16 bytes of each vector, compiled ahead, launched through cuda.core."""

import numpy as np
from cuda.core import LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("multiply_add_packed.cu",)


def prepare(case):
    module = ObjectCode.from_fatbin(case.artifact("multiply_add_packed.cu"))
    multiply_add = module.get_kernel(f"multiply_add_{case.dtype}")
    config, n = LaunchConfig(grid=case.blocks(16 // case.itemsize), block=case.block_size), np.int64(case.size)
    return lambda x1, x2, b, out: launch(case.stream, config, multiply_add, n, x1.ptr, x2.ptr, b, out.ptr)
