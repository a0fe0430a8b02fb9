"""CUDA C, one thread per 16 bytes of each vector, compiled ahead, launched through cuda.core."""

import numpy as np
from cuda.core import LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("softplus_packed.cu",)


def prepare(case):
    softplus = ObjectCode.from_fatbin(case.artifact("softplus_packed.cu")).get_kernel(f"softplus_{case.dtype}")
    config, n = LaunchConfig(grid=case.blocks(16 // case.itemsize), block=case.block_size), np.int64(case.size)
    return lambda x, out: launch(case.stream, config, softplus, n, x.ptr, out.ptr)
