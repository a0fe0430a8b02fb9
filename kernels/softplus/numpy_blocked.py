"""NumPy pass by pass, block by block: each pass finds in the cache what the last one wrote."""

import numpy as np

BLOCK = 8192  # elements: three blocks of float64 fit a second-level cache of 256 KiB


def prepare(case):
    scratch = np.empty(BLOCK, case.dtype)

    def run(x, out):
        for start in range(0, x.size, BLOCK):
            given, part = x[start : start + BLOCK], out[start : start + BLOCK]
            positive = np.maximum(given, 0, out=scratch[: given.size])
            np.abs(given, out=part)
            np.negative(part, out=part)
            np.exp(part, out=part)
            np.log1p(part, out=part)
            np.add(part, positive, out=part)

    return run
