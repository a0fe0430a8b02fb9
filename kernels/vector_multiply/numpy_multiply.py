"""numpy.multiply into an array that is there already."""

import numpy as np


def run(x, y, out):
    np.multiply(x, y, out=out)
