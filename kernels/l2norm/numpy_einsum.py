"""numpy.einsum: a loop in NumPy, not BLAS, that adds up the squares without an array of them; then the roots."""

import numpy as np


def run(x, out):
    np.einsum("ij,ij->i", x, x, out=out)
    np.sqrt(out, out=out)
