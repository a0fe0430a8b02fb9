"""NumPy in two passes, both into an array that is there already."""

import numpy as np


def run(a, x, y, out):
    np.multiply(x, a, out=out)
    np.add(out, y, out=out)
