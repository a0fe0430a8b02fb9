"""CUDA C, one thread per 16 bytes of each vector, compiled ahead, launched through cuda.core."""

import numpy as np
from cuda.core import LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("elementwise_trig_packed.cu",)


def prepare(case):
    module = ObjectCode.from_fatbin(case.artifact("elementwise_trig_packed.cu"))
    elementwise_trig = module.get_kernel(f"elementwise_trig_{case.dtype}")
    config, n = LaunchConfig(grid=case.blocks(16 // case.itemsize), block=case.block_size), np.int64(case.size)
    return lambda x, out: launch(case.stream, config, elementwise_trig, n, x.ptr, out.ptr)
