"""NumPy alone: all products at once, then numpy.add.reduceat over the rows, of which none may be empty."""

import numpy as np


def run(data, indices, indptr, x, y):
    products = np.take(x, indices)
    products *= data
    np.add.reduceat(products, indptr[:-1], out=y)
