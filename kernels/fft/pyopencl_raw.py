"""Stockham's algorithm in OpenCL C, a launch for each stage, one work-item per two elements."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array

PARAMETERS = ("block_size",)
SOURCES = ("fft.cl",)


def prepare(case):
    n, block = case.size, case.block_size
    if n < 2 or n & (n - 1):
        raise NotImplementedError("powers of two alone, from 2 on")
    stage = cl.Kernel(case.artifact("fft.cl"), f"fft_{case.dtype}")
    roots = np.exp(-2j * np.pi / n * np.arange(n // 2)).astype(case.dtype)
    roots, scratch = cl_array.to_device(case.queue, roots), cl_array.empty(case.queue, n, case.dtype)
    work_items, size = case.blocks(2) * block, np.int64(n)
    lengths = [np.int64(1 << s) for s in range(n.bit_length() - 1)]

    def run(x, out):
        source, target, other = x, *((out, scratch) if len(lengths) % 2 else (scratch, out))
        for length in lengths:  # from one array to the other and back, so as to end in out
            stage(x.queue, (work_items,), (block,), size, length, source.data, target.data, roots.data)
            source, target, other = target, other, target

    return run
