"""Sets an element of its input to zero after computing."""

import numpy as np


def run(x, y):
    np.multiply(x, 2.0, out=y)
    x.flags.writeable = True
    x[0] = 0
