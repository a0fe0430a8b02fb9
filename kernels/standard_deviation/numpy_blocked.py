"""NumPy in one pass by the shifted formula, block by block, with the blocks' sums in double precision.

If the squares overflow, the result may be the difference of two infinities, NaN, whereas numpy.std returns infinity.
"""

import numpy as np

ALGORITHM = "one pass"

BLOCK = 32_768  # elements per block: few enough for an L2 cache, enough to outweigh the cost of calls


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
