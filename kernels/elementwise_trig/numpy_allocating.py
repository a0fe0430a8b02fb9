"""sin(x) ** 2 + cos(x) ** 2 with NumPy, new arrays for each step."""

import numpy as np


def run(x, out):
    return np.sin(x) ** 2 + np.cos(x) ** 2
