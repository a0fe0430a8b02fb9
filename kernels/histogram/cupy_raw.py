"""CUDA C through cupy.RawModule, one thread per number, atomic additions in global memory."""

import cupy as cp
import numpy as np

PARAMETERS = ("block_size",)
SOURCES = ("histogram.cu",)


def prepare(case):
    histogram = cp.RawModule(path=case.artifact("histogram.cu")).get_function(f"histogram_{case.dtype}")
    grid, block = (case.blocks(),), (case.block_size,)

    def run(x, counts):
        counts.fill(0)
        histogram(grid, block, (case.size, np.int32(counts.size), x, counts))

    return run
