"""numpy.linalg.norm: a new array each time, and one for the squares."""

import numpy as np


def run(x, out):
    return np.linalg.norm(x, axis=1)
