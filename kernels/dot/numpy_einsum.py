"""numpy.einsum adds up the products in a loop of NumPy, not BLAS, without an array of products."""

import numpy as np


def run(x, y):
    return np.einsum("i,i->", x, y)
