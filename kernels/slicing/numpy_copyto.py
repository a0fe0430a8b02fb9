"""NumPy's slice, copied into an array that is there already."""

import numpy as np


def run(x, out):
    np.copyto(out, x[::3])
