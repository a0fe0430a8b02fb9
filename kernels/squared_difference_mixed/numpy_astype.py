"""NumPy with a separate pass for the conversion, into a preallocated array."""

import numpy as np


def run(x, y, out):
    np.copyto(out, x)
    np.subtract(out, y, out=out)
    np.multiply(out, out, out=out)
