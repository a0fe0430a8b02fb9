"""CUDA C through cupy.RawModule, one thread per input, which is added atomically to the outputs that need it."""

import cupy as cp
import numpy as np

PARAMETERS = ("block_size",)
SOURCES = ("convolution.cu",)


def prepare(case):
    convolution = cp.RawModule(path=case.artifact("convolution.cu")).get_function(f"convolution_scatter_{case.dtype}")
    n, taps = np.int64(case.size), np.int32(case.options["taps"])
    grid, block = (case.blocks(n=n + taps - 1),), (case.block_size,)

    def run(x, weights, out):
        out.fill(0)
        convolution(grid, block, (n, taps, x, weights, out))

    return run
