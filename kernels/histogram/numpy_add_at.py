"""numpy.add.at: an addition for each number, however often a bin comes."""

import numpy as np


def run(x, counts):
    counts[:] = 0
    np.add.at(counts, (x * counts.size).astype(np.intp), 1)
