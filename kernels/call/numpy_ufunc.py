"""numpy.add of two numbers, a ufunc made for arrays."""

import numpy as np


def prepare(case):
    size, add = case.size, np.add

    def run(x):
        for _ in range(size):
            x = add(x, 1.0)
        return x

    return run
