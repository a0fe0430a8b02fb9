"""numpy.add.at: an unbuffered addition for each number, so that repeated bins count."""

import numpy as np


def run(x, counts):
    counts[:] = 0
    np.add.at(counts, (x * counts.size).astype(np.intp), 1)
