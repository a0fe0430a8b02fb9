"""NumPy in two passes into a preallocated array."""

import numpy as np


def run(x, y, out):
    np.subtract(x, y, out=out)
    np.multiply(out, out, out=out)
