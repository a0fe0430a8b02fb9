"""NumPy in two passes, block by block: the second pass finds what the first one wrote in the cache."""

import numpy as np

BLOCK = 8192  # elements: three blocks of float64 fit a second-level cache of 256 KiB


def run(x, y, out):
    for start in range(0, x.size, BLOCK):
        block = slice(start, start + BLOCK)
        part = np.subtract(x[block], y[block], out=out[block])
        np.multiply(part, part, out=part)
