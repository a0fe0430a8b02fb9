"""An empty OpenCL C kernel."""

import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("launch.cl",)


def prepare(case):
    nothing = cl.Kernel(case.artifact("launch.cl"), f"launch_{case.dtype}")
    block = (case.block_size,)

    def run(x):
        nothing(x.queue, block, block, x.data)

    return run
