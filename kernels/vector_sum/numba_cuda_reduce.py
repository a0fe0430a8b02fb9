"""numba.cuda.reduce."""

import numpy as np
from numba import cuda


@cuda.reduce
def vector_sum(a, b):
    return a + b


def prepare(case):
    total = cuda.to_device(np.zeros(1, case.dtype))

    def run(x):
        vector_sum(x, res=total)  # in the default stream; reduce in Numba's simulator accepts no stream
        return total

    return run
