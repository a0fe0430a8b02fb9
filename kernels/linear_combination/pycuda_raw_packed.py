"""CUDA C, one thread per 16 bytes of each vector, compiled ahead, launched through PyCUDA's prepared call."""

import numpy as np
from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("linear_combination_packed.cu",)


def prepare(case):
    module, real = driver.module_from_file(case.artifact("linear_combination_packed.cu")), np.dtype(case.dtype).char
    combine = module.get_function(f"linear_combination_{case.dtype}").prepare(("q", real, "P", real, "P", "P"))
    grid, block = (case.blocks(16 // case.itemsize), 1), (case.block_size, 1, 1)

    def run(a, x, b, y, z):
        combine.prepared_async_call(grid, block, case.stream, case.size, a, x.gpudata, b, y.gpudata, z.gpudata)

    return run
