"""Writes its output in the first call only."""

import numpy as np

written = []


def run(x, y):
    if not written:
        np.multiply(x, 2.0, out=y)
        written.append(True)
