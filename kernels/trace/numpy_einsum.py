"""numpy.einsum with a repeated index, which runs along the diagonal."""

import numpy as np


def run(a):
    return np.einsum("ii->", a)
