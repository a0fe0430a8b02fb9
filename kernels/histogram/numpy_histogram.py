"""numpy.histogram, which compares every number with its bin's ends, too."""

import numpy as np


def run(x, counts):
    counts[:], _ = np.histogram(x, bins=counts.size, range=(0, 1))
