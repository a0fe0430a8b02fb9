"""numpy.add into an array that is there already."""

import numpy as np


def run(x, y, out):
    np.add(x, y, out=out)
