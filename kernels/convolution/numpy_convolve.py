"""numpy.convolve: an inner product per output, into a new array."""

import numpy as np


def run(x, weights, out):
    return np.convolve(x, weights, "valid")[: out.size]  # at size 0, x is the shorter one, and NumPy swaps both
