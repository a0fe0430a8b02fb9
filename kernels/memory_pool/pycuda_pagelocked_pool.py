"""Page-locked host memory from a PyCUDA PageLockedMemoryPool."""

import numpy as np
from pycuda.tools import PageLockedMemoryPool


def prepare(case):
    size, pool = case.size, PageLockedMemoryPool()
    return lambda: pool.allocate((size,), np.uint8).nbytes if size else 0  # the driver cannot allocate 0 bytes
