"""NumPy in two passes, both into an array that is there already."""

import numpy as np


def run(x, y, out):
    np.subtract(x, y, out=out)
    np.multiply(out, out, out=out)
