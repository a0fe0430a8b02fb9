"""CUDA C, one thread per element, compiled ahead, launched through cuda.core."""

import numpy as np
from cuda.core import LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("elementwise_trig.cu",)


def prepare(case):
    module = ObjectCode.from_fatbin(case.artifact("elementwise_trig.cu"))
    elementwise_trig = module.get_kernel(f"elementwise_trig_{case.dtype}")
    config, n = LaunchConfig(grid=case.blocks(), block=case.block_size), np.int64(case.size)
    return lambda x, out: launch(case.stream, config, elementwise_trig, n, x.ptr, out.ptr)
