"""A copy within the host's memory."""

import numpy as np


def run(x, there):
    np.copyto(there, x)
