"""pyopencl.array.empty with an ImmediateAllocator: the driver has to find the memory at once."""

import numpy as np
import pyopencl.array
from pyopencl.tools import ImmediateAllocator


def prepare(case):
    size, queue = case.size, case.queue
    allocator = ImmediateAllocator(queue)

    def run():
        return pyopencl.array.empty(queue, size, np.uint8, allocator=allocator).nbytes

    return run
