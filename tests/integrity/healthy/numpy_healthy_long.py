"""Doubles in long calls."""

import time

import numpy as np


def run(x, y):
    time.sleep(0.6)
    np.multiply(x, 2.0, out=y)
