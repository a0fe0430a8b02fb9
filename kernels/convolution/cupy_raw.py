"""CUDA C through cupy.RawModule, one thread per output, weights and signal in global memory."""

import cupy as cp
import numpy as np

PARAMETERS = ("block_size",)
SOURCES = ("convolution.cu",)


def prepare(case):
    convolution = cp.RawModule(path=case.artifact("convolution.cu")).get_function(f"convolution_gather_{case.dtype}")
    grid, block = (max(1, -(-case.size // case.block_size)),), (case.block_size,)
    n, taps = np.int64(case.size), np.int32(case.options["taps"])

    def run(x, weights, out):
        convolution(grid, block, (n, taps, x, weights, out))

    run.kernel = convolution
    return run
