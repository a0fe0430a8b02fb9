"""OpenCL C in two launches: each core of a CPU, or work-group of a GPU, sums consecutive elements."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array

SOURCES = ("peak_read.cl",)
FLAGS = ("-cl-fast-relaxed-math",)  # lets a CPU add in SIMD lanes


def prepare(case):
    peak_read = cl.Kernel(case.artifact("peak_read.cl"), f"peak_read_{case.dtype}")
    block, chunk = (1, 65_536) if case.queue.device.type & cl.device_type.CPU else (256, 8192)
    groups = case.size // chunk + 1
    sums = cl_array.empty(case.queue, groups, case.dtype)
    total = cl_array.empty(case.queue, (), case.dtype)
    shared = cl.LocalMemory(block * sums.dtype.itemsize)
    first = np.int64(case.size), np.int64(chunk)
    second = np.int64(groups), np.int64(groups)

    def run(x):
        peak_read(x.queue, (groups * block,), (block,), *first, x.data, sums.data, shared)
        peak_read(x.queue, (block,), (block,), *second, sums.data, total.data, shared)
        return total

    return run
