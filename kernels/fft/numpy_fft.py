"""numpy.fft.fft into an array that is there already."""

import numpy as np


def run(x, out):
    if x.size:  # NumPy refuses vectors of no elements
        np.fft.fft(x, out=out)
