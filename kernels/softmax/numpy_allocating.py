"""The definition in NumPy, a new array for each step."""

import numpy as np


def run(x, out):
    exponentials = np.exp(x - x.max(axis=1, keepdims=True))
    return exponentials / exponentials.sum(axis=1, keepdims=True)
