"""CUDA C compiled ahead, launched through PyCUDA's prepared call, one thread per 16 bytes of each vector."""

import numpy as np
from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("scale.cu",)


def prepare(case):
    module = driver.module_from_file(case.artifact("scale.cu"))
    scale = module.get_function(f"scale_{case.dtype}")
    scale.prepare(("q", np.dtype(case.dtype).char, "P", "P"))
    n, stream = case.size, case.stream
    each = 16 // np.dtype(case.dtype).itemsize
    grid, block = (max(1, -(-n // (case.block_size * each))), 1), (case.block_size, 1, 1)

    def run(factor, x, y):
        scale.prepared_async_call(grid, block, stream, n, factor, x.gpudata, y.gpudata)

    run.kernel = scale
    run.module = module  # a module that nobody holds is unloaded, and takes its functions with it
    return run
