"""NumPy, block by block: each operation reads the previous result from the cache."""

import numpy as np

BLOCK = 8192  # elements per block: three float64 blocks fit a 256 KiB L2 cache


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
