"""NumPy: the indices of the selected elements, then numpy.take into a preallocated array."""

import numpy as np


def run(x, out):
    selected = np.flatnonzero(x > 0.5)
    np.take(x, selected, out=out[: selected.size], mode="clip")  # the default mode, "raise", buffers the output
    out[selected.size :] = 0
    return selected.size
