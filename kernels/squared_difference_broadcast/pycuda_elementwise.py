"""PyCUDA ElementwiseKernel that computes the index of y, as PyCUDA does not broadcast."""

import numpy as np
from pycuda.elementwise import ElementwiseKernel


def prepare(case):
    real = case.ctype
    squared_difference = ElementwiseKernel(
        f"{real} *x, {real} *y, {real} *out, unsigned columns",
        "out[i] = (x[i] - y[i % columns]) * (x[i] - y[i % columns])",
        "squared_difference",
    )
    columns, stream = np.uint32(case.options["columns"]), case.stream
    return lambda x, y, out: squared_difference(x, y, out, columns, stream=stream)
