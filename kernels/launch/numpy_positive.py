"""The cheapest ufunc: x onto itself."""

import numpy as np


def run(x):
    np.positive(x, out=x)
