"""OpenCL C: each core of a CPU, or work-group of a GPU, copies consecutive vectors."""

import numpy as np
import pyopencl as cl

SOURCES = ("peak_copy.cl",)


def prepare(case):
    peak_copy = cl.Kernel(case.artifact("peak_copy.cl"), f"peak_copy_{case.dtype}")
    block, chunk = (1, 16_384) if case.queue.device.type & cl.device_type.CPU else (256, 1024)
    groups = case.size // (4 * chunk) + 1
    lengths = np.int64(case.size), np.int64(chunk)

    def run(x, out):
        peak_copy(x.queue, (groups * block,), (block,), *lengths, x.data, out.data)

    return run
