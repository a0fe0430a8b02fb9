"""CUDA C, one thread per element, compiled ahead, launched through PyCUDA's prepared call."""

import numpy as np
from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("multiply_add.cu",)


def prepare(case):
    module, real = driver.module_from_file(case.artifact("multiply_add.cu")), np.dtype(case.dtype).char
    multiply_add = module.get_function(f"multiply_add_{case.dtype}").prepare(("q", "P", "P", real, "P"))
    grid, block = (case.blocks(), 1), (case.block_size, 1, 1)

    def run(x1, x2, b, out):
        multiply_add.prepared_async_call(grid, block, case.stream, case.size, x1.gpudata, x2.gpudata, b, out.gpudata)

    return run
