"""CUDA C through cupy.RawModule, one thread per element of the product, all from global memory."""

import cupy as cp
import numpy as np

PARAMETERS = ("block_size",)
SOURCES = ("matmul.cu",)


def prepare(case):
    matmul = cp.RawModule(path=case.artifact("matmul.cu")).get_function(f"matmul_{case.dtype}")
    block = case.block_size
    grid = case.blocks()
    n = np.int64(case.size)
    return lambda a, b, out: matmul(grid, block, (n, a, b, out))
