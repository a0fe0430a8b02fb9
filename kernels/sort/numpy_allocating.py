"""numpy.sort; returns a new array."""

import numpy as np


def run(x, out):
    return np.sort(x)
