"""numpy.einsum: the index that occurs twice runs along the diagonal."""

import numpy as np


def run(a):
    return np.einsum("ii->", a)
