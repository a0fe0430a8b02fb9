"""NumPy in three passes, block by block: each pass finds what the one before it wrote in the cache."""

import numpy as np

BLOCK = 8192  # elements: four blocks of float64 fit a second-level cache of 256 KiB


def prepare(case):
    product = np.empty(min(BLOCK, case.size), case.dtype)

    def run(a, x, b, y, z):
        for start in range(0, z.size, BLOCK):
            block = slice(start, start + BLOCK)
            part = z[block]
            np.multiply(x[block], a, out=part)
            np.multiply(y[block], b, out=product[: part.size])
            np.add(part, product[: part.size], out=part)

    return run
