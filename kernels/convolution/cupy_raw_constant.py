"""CUDA C through cupy.RawModule, one thread per output; each call copies the weights to constant memory."""

import cupy as cp
import numpy as np

PARAMETERS = ("block_size",)
SOURCES = ("convolution.cu",)
MOST_TAPS = 2048  # maximum number of taps, as in convolution.cu


def prepare(case):
    if case.options["taps"] > MOST_TAPS:
        raise NotImplementedError(f"constant memory has room for {MOST_TAPS} taps")
    module = cp.RawModule(path=case.artifact("convolution.cu"))
    convolution = module.get_function(f"convolution_constant_{case.dtype}")
    constant = module.get_global(f"convolution_weights_{case.dtype}")
    grid, block = (case.blocks(),), (case.block_size,)
    n, taps = np.int64(case.size), np.int32(case.options["taps"])

    def run(x, weights, out):
        constant.copy_from_device_async(weights.data, weights.nbytes)
        convolution(grid, block, (n, taps, x, out))

    return run
