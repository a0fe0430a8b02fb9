"""OpenCL C: each core of a CPU, or work-group of a GPU, computes consecutive vectors."""

import numpy as np
import pyopencl as cl

SOURCES = ("peak_triad.cl",)


def prepare(case):
    peak_triad = cl.Kernel(case.artifact("peak_triad.cl"), f"peak_triad_{case.dtype}")
    block, chunk = (1, 16_384) if case.queue.device.type & cl.device_type.CPU else (256, 1024)
    groups = case.size // (4 * chunk) + 1
    lengths = np.int64(case.size), np.int64(chunk)

    def run(a, x, y, out):
        peak_triad(x.queue, (groups * block,), (block,), *lengths, a, x.data, y.data, out.data)

    return run
