"""ndarray.get: from the device to a new NumPy array."""

import cupy as cp


def convert(x):
    return (cp.asarray(x),)


def run(x, out):
    return x.get()
