"""NumPy in five passes over shifted slices, into a preallocated array."""

import numpy as np


def run(x, out):
    inner = out[1:-1, 1:-1]
    np.add(x[1:-1, 1:-1], x[:-2, 1:-1], out=inner)
    np.add(inner, x[2:, 1:-1], out=inner)
    np.add(inner, x[1:-1, :-2], out=inner)
    np.add(inner, x[1:-1, 2:], out=inner)
    np.multiply(inner, 0.2, out=inner)
    out[:1], out[-1:], out[:, :1], out[:, -1:] = x[:1], x[-1:], x[:, :1], x[:, -1:]
