"""NumPy's indexing by an array of row numbers, which copies by itself: numpy.take."""

import numpy as np


def prepare(case):
    rows = np.arange(0, case.size, 3)

    def run(x, out):
        np.take(x, rows, axis=0, out=out, mode="clip")  # with the default mode, NumPy buffers its output

    return run
