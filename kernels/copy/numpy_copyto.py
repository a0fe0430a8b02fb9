"""numpy.copyto into a preallocated array."""

import numpy as np


def run(x, out):
    np.copyto(out, x)
