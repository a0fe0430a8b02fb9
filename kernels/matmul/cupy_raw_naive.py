"""CUDA C through cupy.RawModule, one thread per element of the product, without shared memory."""

import cupy as cp

ALGORITHM = "plain loops"
PARAMETERS = ("block_size",)
SOURCES = ("matmul.cu",)


def prepare(case):
    matmul = cp.RawModule(path=case.artifact("matmul.cu")).get_function(f"matmul_{case.dtype}")
    grid, block = case.blocks(), case.block_size
    return lambda a, b, out: matmul(grid, block, (case.size, a, b, out))
