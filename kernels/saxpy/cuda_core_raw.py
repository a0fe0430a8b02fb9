"""CUDA C, one thread per element, precompiled, launched through cuda.core."""

import numpy as np
from cuda.core import LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("saxpy.cu",)


def prepare(case):
    saxpy = ObjectCode.from_fatbin(case.artifact("saxpy.cu")).get_kernel(f"saxpy_{case.dtype}")
    config, n = LaunchConfig(grid=case.blocks(), block=case.block_size), np.int64(case.size)
    return lambda a, x, y, out: launch(case.stream, config, saxpy, n, a, x.ptr, y.ptr, out.ptr)
