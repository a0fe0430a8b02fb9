"""numpy.empty: the C library's heap, and the operating system for large arrays."""

import numpy as np


def prepare(case):
    size = case.size
    return lambda: np.empty(size, np.uint8).nbytes
