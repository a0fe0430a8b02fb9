"""NumPy with a pass of its own for the conversion, into an array that is there already."""

import numpy as np


def run(x, y, out):
    np.copyto(out, x)
    np.subtract(out, y, out=out)
    np.multiply(out, out, out=out)
