"""Leaves in its output what the call before has written."""

import numpy as np

written = []


def run(x, y):
    if not written:
        np.multiply(x, 2.0, out=y)
        written.append(True)
