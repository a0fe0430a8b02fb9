"""numba.cuda.reduce."""

import numpy as np
from numba import cuda


@cuda.reduce
def maximum(a, b):
    return max(a, b)


def prepare(case):
    lowest = np.finfo(case.dtype).min
    largest = cuda.to_device(np.full(1, lowest, case.dtype))

    def run(x):
        maximum(x, res=largest, init=lowest)  # uses the default stream, since the simulator's reduce takes no stream
        return largest

    return run
