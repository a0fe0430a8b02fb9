"""numpy.sort, a new array each time."""

import numpy as np


def run(x, out):
    return np.sort(x)
