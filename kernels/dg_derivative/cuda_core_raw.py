"""CUDA C, one thread per node of an element, compiled ahead, launched through cuda.core."""

from math import comb

import numpy as np
from cuda.core import LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("dg_derivative.cu",)


def prepare(case):
    module = ObjectCode.from_fatbin(case.artifact("dg_derivative.cu"))
    dg_derivative, nodes = module.get_kernel(f"dg_derivative_{case.dtype}"), comb(case.options["order"] + 3, 3)
    config = LaunchConfig(grid=case.blocks(n=case.size * nodes), block=case.block_size)
    shape = np.int64(case.size), np.int32(nodes)
    return lambda *arrays: launch(case.stream, config, dg_derivative, *shape, *(array.ptr for array in arrays))
