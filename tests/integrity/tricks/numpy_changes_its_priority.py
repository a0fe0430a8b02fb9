"""Changes the priority of its process."""

import os

import numpy as np

os.nice(1)


def run(x, y):
    np.multiply(x, 2.0, out=y)
