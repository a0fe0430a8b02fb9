"""Page-locked host memory without a pool (cudaHostAlloc): the driver must pin every page in each call."""

import cupy as cp
import numpy as np


def prepare(case):
    size = case.size

    def run():
        memory = cp.cuda.PinnedMemoryPointer(cp.cuda.PinnedMemory(size), 0)
        return np.ndarray(size, np.uint8, memory).nbytes

    return run
