"""NumPy in two passes per block; the second pass reads the block's differences from the cache."""

import numpy as np

BLOCK = 8192  # elements per block: three float64 blocks fit a 256 KiB L2 cache


def run(x, y, out):
    for start in range(0, x.size, BLOCK):
        block = slice(start, start + BLOCK)
        part = np.subtract(x[block], y[block], out=out[block])
        np.multiply(part, part, out=part)
