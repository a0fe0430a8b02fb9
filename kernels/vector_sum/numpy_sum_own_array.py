"""numpy.sum of an array where NumPy puts it: aligned to 16 bytes, not to a cache line as all others here."""

import numpy as np


def convert(x):
    return {"x": x.copy()}


def run(x):
    return np.sum(x)
