"""CUDA C compiled ahead, launched through PyCUDA's prepared call, one thread per 16 bytes of each vector."""

import numpy as np
from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("linear_combination.cu",)


def prepare(case):
    module = driver.module_from_file(case.artifact("linear_combination.cu"))
    linear_combination = module.get_function(f"linear_combination_{case.dtype}")
    real = np.dtype(case.dtype).char
    linear_combination.prepare(("q", real, "P", real, "P", "P"))
    n, stream = case.size, case.stream
    each = 16 // np.dtype(case.dtype).itemsize
    grid, block = (max(1, -(-n // (case.block_size * each))), 1), (case.block_size, 1, 1)

    def run(a, x, b, y, z):
        linear_combination.prepared_async_call(grid, block, stream, n, a, x.gpudata, b, y.gpudata, z.gpudata)

    run.kernel = linear_combination
    run.module = module  # a module that nobody holds is unloaded, and takes its functions with it
    return run
