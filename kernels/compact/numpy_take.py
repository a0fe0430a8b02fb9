"""NumPy: the indices of the elements to keep, then numpy.take into the array that is there already."""

import numpy as np


def run(x, out):
    kept = np.flatnonzero(x > 0.5)
    np.take(x, kept, out=out[: kept.size], mode="clip")  # the default, mode="raise", goes through another array
    out[kept.size :] = 0
    return kept.size
