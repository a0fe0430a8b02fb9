"""numpy.sum of an array that NumPy allocates: aligned to 16 bytes, not to a cache line as elsewhere."""

import numpy as np


def convert(x):
    return {"x": x.copy()}


def run(x):
    return np.sum(x)
