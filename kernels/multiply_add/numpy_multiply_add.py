"""NumPy in two passes, both into an array that is there already."""

import numpy as np


def run(x1, x2, b, out):
    np.multiply(x1, x2, out=out)
    np.add(out, b, out=out)
