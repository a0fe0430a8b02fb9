"""OpenCL C, one work-item per element of the product, all from global memory."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("matmul.cl",)


def prepare(case):
    matmul = cl.Kernel(case.artifact("matmul.cl"), f"matmul_naive_{case.dtype}")
    block = case.block_size
    work_items = tuple(max(1, -(-case.size // extent)) * extent for extent in block)
    n = np.int64(case.size)

    def run(a, b, out):
        matmul(a.queue, work_items, block, n, a.data, b.data, out.data)

    return run
