"""numpy.sum of an array that NumPy aligns to 16 bytes; other implementations get arrays aligned to a cache line."""

import numpy as np


def convert(x):
    return {"x": x.copy()}


def run(x):
    return np.sum(x)
