"""CUDA C through cupy.RawModule, one thread per output, weights and signal in global memory."""

import cupy as cp
import numpy as np

PARAMETERS = ("block_size",)
SOURCES = ("convolution.cu",)


def prepare(case):
    convolve = cp.RawModule(path=case.artifact("convolution.cu")).get_function(f"convolution_gather_{case.dtype}")
    grid, block = (case.blocks(),), (case.block_size,)
    n, taps = np.int64(case.size), np.int32(case.options["taps"])
    return lambda x, weights, out: convolve(grid, block, (n, taps, x, weights, out))
