"""numpy.copyto."""

import numpy as np


def run(x, out):
    np.copyto(out, x)
