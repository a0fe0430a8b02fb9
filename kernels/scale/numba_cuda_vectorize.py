"""A ufunc compiled by numba.vectorize for CUDA; the library chooses blocks and grid."""

import numpy as np
from numba import cuda, vectorize


@vectorize(["float64(float64, float64)", "float32(float32, float32)"], target="cuda")
def scale(factor, x):
    return factor * x


def prepare(case):
    def run(factor, x, y):
        # an array of one element is broadcast on the device; a scalar, on the host, to as many elements as x has
        scale(cuda.to_device(np.array([factor]), stream=case.stream), x, out=y, stream=case.stream)

    return run
