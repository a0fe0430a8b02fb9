"""numpy.einsum: a loop in NumPy, not BLAS, that adds up the products without an array of them."""

import numpy as np


def run(x, y):
    return np.einsum("i,i->", x, y)
