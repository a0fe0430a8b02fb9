"""Replaces a function of NumPy."""

import numpy as np

np.abs = np.zeros_like


def run(x, y):
    np.multiply(x, 2.0, out=y)
