"""numpy.zeros: small arrays are cleared, large ones come cleared from the operating system."""

import numpy as np


def prepare(case):
    size = case.size
    return lambda: np.zeros(size, np.uint8).nbytes
