"""numpy.linalg.norm. Each call allocates a result array and a temporary array of squares."""

import numpy as np


def run(x, out):
    return np.linalg.norm(x, axis=1)
