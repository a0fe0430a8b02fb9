"""OpenCL C, one work-item per output, the weights in constant memory."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("convolution.cl",)


def prepare(case):
    convolution = cl.Kernel(case.artifact("convolution.cl"), f"convolution_gather_{case.dtype}")
    block = (case.block_size,)
    work_items = (case.blocks() * case.block_size,)
    n, taps = np.int64(case.size), np.int32(case.options["taps"])

    def run(x, weights, out):
        convolution(x.queue, work_items, block, n, taps, x.data, weights.data, out.data)

    return run
