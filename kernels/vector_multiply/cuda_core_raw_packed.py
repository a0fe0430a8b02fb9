"""CUDA C, one thread per 16 bytes of each vector, precompiled, launched through cuda.core."""

import numpy as np
from cuda.core import LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("vector_multiply_packed.cu",)


def prepare(case):
    module = ObjectCode.from_fatbin(case.artifact("vector_multiply_packed.cu"))
    vector_multiply = module.get_kernel(f"vector_multiply_{case.dtype}")
    config, n = LaunchConfig(grid=case.blocks(16 // case.itemsize), block=case.block_size), np.int64(case.size)
    return lambda x, y, out: launch(case.stream, config, vector_multiply, n, x.ptr, y.ptr, out.ptr)
