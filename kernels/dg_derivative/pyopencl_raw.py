"""OpenCL C, one work-item per node of an element."""

from math import comb

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("dg_derivative.cl",)


def prepare(case):
    dg_derivative = cl.Kernel(case.artifact("dg_derivative.cl"), f"dg_derivative_{case.dtype}")
    nodes = comb(case.options["order"] + 3, 3)
    work_items, group = (case.blocks(n=case.size * nodes) * case.block_size,), (case.block_size,)
    shape = np.int64(case.size), np.int32(nodes)

    def run(matrices, u, factors, out):
        arrays = matrices.data, u.data, factors.data, out.data
        dg_derivative(out.queue, work_items, group, *shape, *arrays)

    return run
