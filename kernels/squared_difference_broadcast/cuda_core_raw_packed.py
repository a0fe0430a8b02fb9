"""CUDA C, one thread per 16 bytes of the matrix, compiled ahead, launched through cuda.core."""

import numpy as np
from cuda.core import LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("squared_difference_broadcast_packed.cu",)


def prepare(case):
    module = ObjectCode.from_fatbin(case.artifact("squared_difference_broadcast_packed.cu"))
    squared_difference = module.get_kernel(f"squared_difference_broadcast_{case.dtype}")
    columns, n = (np.int64(number) for number in (case.options["columns"], case.size * case.options["columns"]))
    config = LaunchConfig(grid=case.blocks(16 // case.itemsize, n), block=case.block_size)
    return lambda x, y, out: launch(case.stream, config, squared_difference, n, columns, x.ptr, y.ptr, out.ptr)
