"""CUDA C compiled ahead, launched through PyCUDA's prepared call, one thread per 16 bytes."""

import numpy as np
from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("fill.cu",)


def prepare(case):
    module = driver.module_from_file(case.artifact("fill.cu"))
    fill = module.get_function(f"fill_{case.dtype}")
    fill.prepare("qP")
    n, stream = case.size, case.stream
    each = 16 // np.dtype(case.dtype).itemsize
    grid, block = (max(1, -(-n // (case.block_size * each))), 1), (case.block_size, 1, 1)

    def run(out):
        fill.prepared_async_call(grid, block, stream, n, out.gpudata)

    run.kernel = fill
    run.module = module  # a module that nobody holds is unloaded, and takes its functions with it
    return run
