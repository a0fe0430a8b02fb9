"""pyopencl.array.empty with an ImmediateAllocator: the driver has to find the memory at once."""

import numpy as np
import pyopencl.array
from pyopencl.tools import ImmediateAllocator


def prepare(case):
    size, queue = case.size, case.queue
    allocator = ImmediateAllocator(queue)
    return lambda: pyopencl.array.empty(queue, size, np.uint8, allocator=allocator).nbytes
