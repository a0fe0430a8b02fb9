"""OpenCL C, one work-item per output, the weights in constant, a piece of the signal in local memory."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("convolution.cl",)


def prepare(case):
    convolution = cl.Kernel(case.artifact("convolution.cl"), f"convolution_tiled_{case.dtype}")
    block = (case.block_size,)
    work_items = (case.blocks() * case.block_size,)
    n, taps = np.int64(case.size), np.int32(case.options["taps"])
    tile = cl.LocalMemory((case.block_size + int(taps) - 1) * case.itemsize)

    def run(x, weights, out):
        convolution(x.queue, work_items, block, n, taps, x.data, weights.data, out.data, tile)

    return run
