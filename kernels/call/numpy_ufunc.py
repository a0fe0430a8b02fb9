"""numpy.add, a ufunc made for arrays, adds two numbers."""

import numpy as np


def prepare(case):
    size, add = case.size, np.add

    def run(x):
        for _ in range(size):
            x = add(x, 1.0)
        return x

    return run
