"""numpy.sum(x * y): a new array for the products, then their sum."""

import numpy as np


def run(x, y):
    return np.sum(x * y)
