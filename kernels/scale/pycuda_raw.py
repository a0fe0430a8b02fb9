"""CUDA C, one thread per element, compiled ahead, launched through PyCUDA's prepared call."""

import numpy as np
from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("scale.cu",)


def prepare(case):
    module, real = driver.module_from_file(case.artifact("scale.cu")), np.dtype(case.dtype).char
    scale = module.get_function(f"scale_{case.dtype}").prepare(("q", real, "P", "P"))
    grid, block = (case.blocks(), 1), (case.block_size, 1, 1)

    def run(factor, x, y):
        scale.prepared_async_call(grid, block, case.stream, case.size, factor, x.gpudata, y.gpudata)

    return run
