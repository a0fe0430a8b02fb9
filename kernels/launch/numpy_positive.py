"""numpy.positive in place, the cheapest ufunc."""

import numpy as np


def run(x):
    np.positive(x, out=x)
