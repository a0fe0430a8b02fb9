"""numpy.convolve computes one inner product per output, and makes a new array."""

import numpy as np


def run(x, weights, out):
    return np.convolve(x, weights, "valid")[: out.size]  # at size 0, x is shorter than weights: NumPy swaps them
