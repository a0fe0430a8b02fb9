"""CUDA C, one thread per element, compiled ahead, launched through cuda.core."""

import numpy as np
from cuda.core import LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("vector_add.cu",)


def prepare(case):
    vector_add = ObjectCode.from_fatbin(case.artifact("vector_add.cu")).get_kernel(f"vector_add_{case.dtype}")
    config, n = LaunchConfig(grid=case.blocks(), block=case.block_size), np.int64(case.size)
    return lambda x, y, out: launch(case.stream, config, vector_add, n, x.ptr, y.ptr, out.ptr)
