"""OpenCL C, 16 bytes of each vector per work-item."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("vector_multiply.cl",)


def prepare(case):
    multiply = cl.Kernel(case.artifact("vector_multiply.cl"), f"vector_multiply_{case.dtype}")
    block = case.block_size
    groups = case.size // (16 // np.dtype(case.dtype).itemsize * block) + 1
    n = np.int64(case.size)

    def run(x, y, out):
        multiply(x.queue, (groups * block,), (block,), n, x.data, y.data, out.data)

    run.kernel = multiply
    return run
