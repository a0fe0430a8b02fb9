"""NumPy works block by block: each operation reads the previous result from the cache."""

import numpy as np

BLOCK = 8192  # elements per block: three float64 blocks fit a 256 KiB L2 cache


def prepare(case):
    scratch = np.empty(BLOCK, case.dtype)

    def run(x, out):
        for start in range(0, x.size, BLOCK):
            given, part = x[start : start + BLOCK], out[start : start + BLOCK]
            cosine = np.cos(given, out=scratch[: given.size])
            np.multiply(cosine, cosine, out=cosine)
            np.sin(given, out=part)
            np.multiply(part, part, out=part)
            np.add(part, cosine, out=part)

    return run
