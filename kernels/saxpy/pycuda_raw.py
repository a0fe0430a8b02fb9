"""CUDA C, one thread per element, precompiled, launched through PyCUDA's prepared call."""

import numpy as np
from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("saxpy.cu",)


def prepare(case):
    module, real = driver.module_from_file(case.artifact("saxpy.cu")), np.dtype(case.dtype).char
    saxpy = module.get_function(f"saxpy_{case.dtype}").prepare(("q", real, "P", "P", "P"))
    grid, block = (case.blocks(), 1), (case.block_size, 1, 1)

    def run(a, x, y, out):
        saxpy.prepared_async_call(grid, block, case.stream, case.size, a, x.gpudata, y.gpudata, out.gpudata)

    return run
