"""NumPy on the host, into an array that is there already."""

import numpy as np


def run(x, out):
    np.multiply(x, 2, out=out)
