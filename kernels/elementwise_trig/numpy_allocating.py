"""sin(x) ** 2 + cos(x) ** 2 with NumPy, a new array for each step."""

import numpy as np


def run(x, out):
    return np.sin(x) ** 2 + np.cos(x) ** 2
