"""numpy.dot: the BLAS that NumPy is linked to."""

import numpy as np

PARAMETERS = ("threads",)


def run(x, y):
    return np.dot(x, y)
