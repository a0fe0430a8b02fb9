"""numpy.histogram, which also compares every number with the edges of its bin."""

import numpy as np


def run(x, counts):
    counts[:], _ = np.histogram(x, bins=counts.size, range=(0, 1))
