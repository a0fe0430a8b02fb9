"""OpenCL C, one work-item per body, which reads the others from global memory."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("nbody.cl",)


def prepare(case):
    nbody = cl.Kernel(case.artifact("nbody.cl"), f"nbody_{case.dtype}")
    work_items, group, n = (case.blocks() * case.block_size,), (case.block_size,), np.int64(case.size)

    def run(position, mass, softening, acceleration):
        nbody(position.queue, work_items, group, n, position.data, mass.data, softening, acceleration.data)

    return run
