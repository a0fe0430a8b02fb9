"""NumPy works block by block: for each tap, it adds the weight times a shifted block to a block in the cache."""

import numpy as np

ALGORITHM = "scatter"

BLOCK = 8192  # elements per block: three float64 blocks fit a 256 KiB L2 cache


def prepare(case):
    products = np.empty(BLOCK, case.dtype)

    def run(x, weights, out):
        for start in range(0, out.size, BLOCK):
            block = out[start : start + BLOCK]
            term = products[: block.size]
            block[:] = 0
            for tap, weight in enumerate(weights[::-1], start):
                np.multiply(x[tap : tap + block.size], weight, out=term)
                np.add(block, term, out=block)

    return run
