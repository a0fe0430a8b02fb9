"""numpy.ones, as in the lecture; each call makes a new array."""

import numpy as np


def run(out):
    return np.ones(out.shape, out.dtype)
