"""NumPy in place. Each operation passes over the whole matrix."""

import numpy as np


def run(x, out):
    np.subtract(x, x.max(axis=1, keepdims=True), out=out)
    np.exp(out, out=out)
    np.divide(out, out.sum(axis=1, keepdims=True), out=out)
