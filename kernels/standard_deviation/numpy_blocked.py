"""NumPy in one pass, shifted by the first element, block by block: sums of blocks are added up in double precision.

Where the squares overflow, it is NaN, not infinity: the difference of two.
"""

import numpy as np

ALGORITHM = "one pass"

BLOCK = 32_768  # elements: few enough for a second-level cache, and so many that calls cost little


def prepare(case):
    scratch = np.empty(BLOCK, case.dtype)

    def run(x):
        total = squares = np.float64(0)
        for start in range(0, x.size, BLOCK):
            block = x[start : start + BLOCK]
            shifted = np.subtract(block, x[0], out=scratch[: block.size])
            total += shifted.sum()
            squares += shifted.dot(shifted)
        return np.sqrt(squares / x.size - (total / x.size) ** 2)

    return run
