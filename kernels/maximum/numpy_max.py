"""numpy.max, vectorised."""

import numpy as np


def prepare(case):
    lowest = np.finfo(case.dtype).min
    return lambda x: np.max(x, initial=lowest)
