"""A copy within the host's memory."""

import numpy as np


def run(x, out):
    np.copyto(out, x)
