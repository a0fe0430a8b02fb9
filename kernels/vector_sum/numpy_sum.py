"""numpy.sum: pairwise summation, vectorised."""

import numpy as np


def run(x):
    return np.sum(x)
