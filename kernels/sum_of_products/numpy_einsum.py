"""numpy.einsum: a loop in NumPy, not BLAS, that adds up the products without an array of them."""

import numpy as np


def run(x, y, out):
    np.einsum("ij,ij->i", x, y, out=out)
