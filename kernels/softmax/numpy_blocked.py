"""NumPy, a few rows at a time: each pass reads the previous result from the cache."""

import numpy as np

BLOCK = 8192  # elements per block: a float64 block and its results fit a 256 KiB L2 cache


def prepare(case):
    rows = max(1, BLOCK // case.options["columns"])

    def run(x, out):
        for start in range(0, len(x), rows):
            given, part = x[start : start + rows], out[start : start + rows]
            np.subtract(given, given.max(axis=1, keepdims=True), out=part)
            np.exp(part, out=part)
            np.divide(part, part.sum(axis=1, keepdims=True), out=part)

    return run
