"""CUDA C, one thread per element, precompiled, launched through cuda.core."""

import numpy as np
from cuda.core import LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("vector_multiply.cu",)


def prepare(case):
    module = ObjectCode.from_fatbin(case.artifact("vector_multiply.cu"))
    vector_multiply = module.get_kernel(f"vector_multiply_{case.dtype}")
    config, n = LaunchConfig(grid=case.blocks(), block=case.block_size), np.int64(case.size)
    return lambda x, y, out: launch(case.stream, config, vector_multiply, n, x.ptr, y.ptr, out.ptr)
