"""NumPy multiplies sliding windows, a matrix whose rows overlap in memory, by the weights."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view


def run(x, weights, out):
    if out.size:  # an empty x is shorter than a window
        np.matmul(sliding_window_view(x, weights.size), weights[::-1], out=out)
