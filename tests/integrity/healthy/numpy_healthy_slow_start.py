"""Doubles its input; the import and the first call take longer."""

import time

import numpy as np

time.sleep(0.2)
table = []


def run(x, y):
    if not table:
        time.sleep(0.05)
        table.append(2.0)
    np.multiply(x, table[0], out=y)
