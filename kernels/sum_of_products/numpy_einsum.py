"""numpy.einsum, whose loop adds up the products without BLAS and without an array of products."""

import numpy as np


def run(x, y, out):
    np.einsum("ij,ij->i", x, y, out=out)
