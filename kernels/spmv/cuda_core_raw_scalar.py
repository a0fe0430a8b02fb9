"""CUDA C through cuda.core, one thread per row."""

import numpy as np
from cuda.core import LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("spmv.cu",)


def prepare(case):
    spmv = ObjectCode.from_fatbin(case.artifact("spmv.cu")).get_kernel(f"spmv_scalar_{case.dtype}")
    rows = case.size**2
    config = LaunchConfig(grid=case.blocks(n=rows), block=case.block_size)
    return lambda *arrays: launch(case.stream, config, spmv, np.int64(rows), *(array.ptr for array in arrays))
