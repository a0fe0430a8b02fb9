"""numpy.einsum: NumPy's own loop, which adds up the products without an array of them."""

import numpy as np


def run(x, y, out):
    np.einsum("ij,ij->i", x, y, out=out)
