"""Computes with half of the digits declared."""

import numpy as np


def run(x, y):
    y[:] = x.astype(np.float32) * 2
