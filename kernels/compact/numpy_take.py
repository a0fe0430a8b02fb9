"""NumPy: the indices of the selected elements, then numpy.take into a preallocated array."""

import numpy as np


def run(x, out):
    kept = np.flatnonzero(x > 0.5)
    np.take(x, kept, out=out[: kept.size], mode="clip")  # the default mode, "raise", buffers the output
    out[kept.size :] = 0
    return kept.size
