"""CUDA C, one thread per 16 bytes of each vector, compiled ahead, launched through cuda.core."""

import numpy as np
from cuda.core import LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("vector_add_packed.cu",)


def prepare(case):
    vector_add = ObjectCode.from_fatbin(case.artifact("vector_add_packed.cu")).get_kernel(f"vector_add_{case.dtype}")
    config, n = LaunchConfig(grid=case.blocks(16 // case.itemsize), block=case.block_size), np.int64(case.size)
    return lambda x, y, out: launch(case.stream, config, vector_add, n, x.ptr, y.ptr, out.ptr)
