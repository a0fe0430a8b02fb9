"""OpenCL C, one work-item per element of the product, without local memory."""

import numpy as np
import pyopencl as cl

ALGORITHM = "plain loops"
PARAMETERS = ("block_size",)
SOURCES = ("matmul.cl",)


def prepare(case):
    matmul = cl.Kernel(case.artifact("matmul.cl"), f"matmul_{case.dtype}")
    group, n = case.block_size, np.int64(case.size)
    work_items = tuple(groups * extent for groups, extent in zip(case.blocks(), group, strict=True))

    def run(a, b, out):
        matmul(a.queue, work_items, group, n, a.data, b.data, out.data)

    return run
