"""numpy.std: two passes, with all differences in a new array."""

import numpy as np


def run(x):
    return np.std(x)
