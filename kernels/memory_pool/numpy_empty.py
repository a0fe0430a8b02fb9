"""numpy.empty: memory from the C library's heap or, for large arrays, from the operating system."""

import numpy as np


def prepare(case):
    size = case.size
    return lambda: np.empty(size, np.uint8).nbytes
