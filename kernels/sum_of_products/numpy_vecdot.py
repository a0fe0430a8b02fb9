"""numpy.vecdot, which calls BLAS for the dot product of each row and needs no array of products."""

import numpy as np


def run(x, y, out):
    np.vecdot(x, y, out=out)
