"""CuPy in two passes, both into an array that is there already."""

import cupy as cp


def run(x1, x2, b, out):
    cp.multiply(x1, x2, out=out)
    cp.add(out, b, out=out)
