"""CUDA C, one thread per 16 bytes of a row, compiled ahead, launched through cuda.core."""

import numpy as np
from cuda.core import LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("slicing_packed.cu",)


def prepare(case):
    slicing = ObjectCode.from_fatbin(case.artifact("slicing_packed.cu")).get_kernel(f"slicing_{case.dtype}")
    rows = len(range(0, case.size, 3))
    config = LaunchConfig(grid=(case.blocks(16 // case.itemsize), max(1, rows)), block=case.block_size)
    shape = np.int64(rows), np.int64(case.size)
    return lambda x, out: launch(case.stream, config, slicing, *shape, x.ptr, out.ptr)
