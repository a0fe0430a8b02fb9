"""numpy.bincount of the bins, which are an array of their own."""

import numpy as np


def run(x, counts):
    counts[:] = np.bincount((x * counts.size).astype(np.intp), minlength=counts.size)
