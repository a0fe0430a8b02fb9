"""A ufunc compiled by numba.vectorize for CUDA; the library chooses blocks and grid."""

import numpy as np
from numba import cuda, vectorize


@vectorize(["float64(float64, float64, float64)", "float32(float32, float32, float32)"], target="cuda")
def multiply_add(x1, x2, b):
    return x1 * x2 + b


def prepare(case):
    def run(x1, x2, b, out):
        # an array of one element is broadcast on the device; a scalar, on the host, to as many elements as x1 has
        multiply_add(x1, x2, cuda.to_device(np.array([b]), stream=case.stream), out=out, stream=case.stream)

    return run
