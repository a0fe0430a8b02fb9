"""numpy.ones, a new array each time, as in the lecture."""

import numpy as np


def run(out):
    return np.ones(out.shape, out.dtype)
