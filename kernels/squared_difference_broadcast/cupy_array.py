"""CuPy in two passes into a preallocated array."""

import cupy as cp


def run(x, y, out):
    cp.subtract(x, y, out=out)
    cp.multiply(out, out, out=out)
