"""NumPy in passes over a few rows at a time: each finds in the cache what the last one wrote."""

import numpy as np

BLOCK = 8192  # elements: a block and its results in float64 fit a second-level cache of 256 KiB


def prepare(case):
    rows = max(1, BLOCK // case.options["columns"])

    def run(x, out):
        for start in range(0, len(x), rows):
            given, part = x[start : start + rows], out[start : start + rows]
            np.subtract(given, given.max(axis=1, keepdims=True), out=part)
            np.exp(part, out=part)
            np.divide(part, part.sum(axis=1, keepdims=True), out=part)

    return run
