"""pyopencl.array.empty with a PyOpenCL MemoryPool."""

import numpy as np
import pyopencl.array
from pyopencl.tools import ImmediateAllocator, MemoryPool


def prepare(case):
    size, queue = case.size, case.queue
    pool = MemoryPool(ImmediateAllocator(queue))
    return lambda: pyopencl.array.empty(queue, size, np.uint8, allocator=pool).nbytes
