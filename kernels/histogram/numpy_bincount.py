"""numpy.bincount of an array of bins."""

import numpy as np


def run(x, counts):
    counts[:] = np.bincount((x * counts.size).astype(np.intp), minlength=counts.size)
