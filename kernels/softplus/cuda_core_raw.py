"""CUDA C, one thread per element, compiled ahead, launched through cuda.core."""

import numpy as np
from cuda.core import LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("softplus.cu",)


def prepare(case):
    softplus = ObjectCode.from_fatbin(case.artifact("softplus.cu")).get_kernel(f"softplus_{case.dtype}")
    config, n = LaunchConfig(grid=case.blocks(), block=case.block_size), np.int64(case.size)
    return lambda x, out: launch(case.stream, config, softplus, n, x.ptr, out.ptr)
