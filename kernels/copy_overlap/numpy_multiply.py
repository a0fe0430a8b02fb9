"""NumPy on the host, into a preallocated array."""

import numpy as np


def run(x, out):
    np.multiply(x, 2, out=out)
