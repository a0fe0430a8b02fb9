"""OpenCL C: each core of a CPU, or work-group of a GPU, writes consecutive vectors."""

import numpy as np
import pyopencl as cl

SOURCES = ("peak_write.cl",)


def prepare(case):
    peak_write = cl.Kernel(case.artifact("peak_write.cl"), f"peak_write_{case.dtype}")
    block, chunk = (1, 16_384) if case.queue.device.type & cl.device_type.CPU else (256, 1024)
    groups = case.size // (4 * chunk) + 1
    lengths = np.int64(case.size), np.int64(chunk)

    def run(a, out):
        peak_write(out.queue, (groups * block,), (block,), *lengths, a, out.data)

    return run
