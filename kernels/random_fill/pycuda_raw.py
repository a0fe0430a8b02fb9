"""CUDA C hashing a counter (SplitMix64), compiled ahead, launched through PyCUDA's prepared call, 16 bytes a thread."""

from itertools import count

import numpy as np
from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("random_fill.cu",)


def prepare(case):
    module = driver.module_from_file(case.artifact("random_fill.cu"))
    random_fill = module.get_function(f"random_fill_{case.dtype}")
    random_fill.prepare(("q", "Q", "P"))
    n, stream, drawn = case.size, case.stream, count(0, case.size)
    each = 16 // np.dtype(case.dtype).itemsize
    grid, block = (max(1, -(-n // (case.block_size * each))), 1), (case.block_size, 1, 1)

    def run(out):
        random_fill.prepared_async_call(grid, block, stream, n, next(drawn), out.gpudata)

    run.kernel = random_fill
    run.module = module  # a module that nobody holds is unloaded, and takes its functions with it
    return run
