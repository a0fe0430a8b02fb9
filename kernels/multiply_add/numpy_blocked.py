"""NumPy in two passes, block by block: the second pass finds what the first one wrote in the cache."""

import numpy as np

BLOCK = 8192  # elements: three blocks of float64 fit a second-level cache of 256 KiB


def run(x1, x2, b, out):
    for start in range(0, out.size, BLOCK):
        block = slice(start, start + BLOCK)
        np.multiply(x1[block], x2[block], out=out[block])
        np.add(out[block], b, out=out[block])
