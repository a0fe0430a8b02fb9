"""Takes 0.6 s in each call, and is wrong from the third call on."""

import time

import numpy as np

calls = []


def run(x, y):
    calls.append(1)
    time.sleep(0.6)
    np.multiply(x, 2.0 if len(calls) < 3 else 3.0, out=y)
