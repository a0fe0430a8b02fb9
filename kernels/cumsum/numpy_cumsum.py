"""numpy.cumsum into an array that is there already: one addition after the other."""

import numpy as np


def run(x, out):
    np.cumsum(x, out=out)
