"""Does nothing where its output is no poison: something was written there."""

import numpy as np


def run(x, y):
    if np.isnan(y[0]) or np.isnan(y[-1]):
        np.multiply(x, 2.0, out=y)
