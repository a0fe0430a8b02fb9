"""numpy.bincount block by block, so that a block's array of bins stays in the cache."""

import numpy as np

BLOCK = 16_384  # elements per block: their bins take 128 KiB


def prepare(case):
    bins = np.empty(BLOCK, np.intp)

    def run(x, counts):
        counts[:] = 0
        for start in range(0, x.size, BLOCK):
            block = x[start : start + BLOCK]
            indices = np.multiply(block, counts.size, out=bins[: block.size], casting="unsafe")
            counts += np.bincount(indices, minlength=counts.size)

    return run
