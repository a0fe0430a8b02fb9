"""numpy.convolve: an inner product per output, into a new array."""

import numpy as np


def run(x, weights, out):
    return np.convolve(x, weights, "valid")[: out.size]  # with x the shorter one, at size 0, the two change roles
