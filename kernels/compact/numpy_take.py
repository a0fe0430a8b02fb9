"""NumPy finds the indices of the selected elements; numpy.take copies these elements into a preallocated array."""

import numpy as np


def run(x, out):
    selected = np.flatnonzero(x > 0.5)
    np.take(x, selected, out=out[: selected.size], mode="clip")  # the default mode, "raise", buffers the output
    out[selected.size :] = 0
    return selected.size
