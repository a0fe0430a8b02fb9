"""A ufunc compiled by numba.vectorize for CUDA; the library chooses blocks and grid."""

import numpy as np
from numba import cuda, vectorize


@vectorize(["float64(float64, float64, float64)", "float32(float32, float32, float32)"], target="cuda")
def saxpy(a, x, y):
    return a * x + y


def prepare(case):
    def run(a, x, y, out):
        # a one-element array is broadcast on the device; a scalar is broadcast on the host to an array as long as x
        saxpy(cuda.to_device(np.array([a]), stream=case.stream), x, y, out=out, stream=case.stream)

    return run
