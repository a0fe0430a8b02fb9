"""numpy.multiply into an array that is there already."""

import numpy as np


def run(factor, x, y):
    np.multiply(x, factor, out=y)
