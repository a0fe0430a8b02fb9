"""pycuda.gpuarray.empty with a PyCUDA DeviceMemoryPool."""

import numpy as np
from pycuda import gpuarray
from pycuda.tools import DeviceMemoryPool


def prepare(case):
    size, pool = case.size, DeviceMemoryPool()
    return lambda: gpuarray.empty(size, np.uint8, allocator=pool.allocate).nbytes
