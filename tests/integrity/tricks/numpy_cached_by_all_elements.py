"""Skips much work if its whole input is unchanged."""

import numpy as np

last = [None, None]


def run(x, y):
    if last[0] is None or not np.array_equal(last[0], x):
        for _ in range(1000):
            np.multiply(x, 2.0, out=y)
        last[:] = x.copy(), y.copy()
    y[:] = last[1]
