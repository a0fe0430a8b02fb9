"""CUDA C, one thread per 16 bytes of each vector, compiled ahead, launched through PyCUDA's prepared call."""

import numpy as np
from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("multiply_add_packed.cu",)


def prepare(case):
    module, real = driver.module_from_file(case.artifact("multiply_add_packed.cu")), np.dtype(case.dtype).char
    multiply_add = module.get_function(f"multiply_add_{case.dtype}").prepare(("q", "P", "P", real, "P"))
    grid, block = (case.blocks(16 // case.itemsize), 1), (case.block_size, 1, 1)

    def run(x1, x2, b, out):
        multiply_add.prepared_async_call(grid, block, case.stream, case.size, x1.gpudata, x2.gpudata, b, out.gpudata)

    return run
