"""Page-locked host memory from the driver each time (cudaHostAlloc), which must pin each page."""

import cupy as cp
import numpy as np


def prepare(case):
    size = case.size

    def run():
        memory = cp.cuda.PinnedMemoryPointer(cp.cuda.PinnedMemory(size), 0)
        return np.ndarray(size, np.uint8, memory).nbytes

    return run
