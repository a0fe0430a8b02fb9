"""numpy.einsum: products added up as they arise, in NumPy's own loop."""

import numpy as np


def run(x, y):
    return np.einsum("i,i->", x, y)
