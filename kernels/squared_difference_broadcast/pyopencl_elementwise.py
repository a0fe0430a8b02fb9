"""PyOpenCL ElementwiseKernel that computes the index of y, as PyOpenCL does not broadcast."""

import numpy as np
from pyopencl.elementwise import ElementwiseKernel


def prepare(case):
    real = case.ctype
    squared_difference = ElementwiseKernel(
        case.queue.context,
        f"const {real} *x, const {real} *y, {real} *out, long columns",
        "out[i] = (x[i] - y[i % columns]) * (x[i] - y[i % columns])",
        "squared_difference",
    )
    columns = np.int64(case.options["columns"])

    def run(x, y, out):
        squared_difference(x, y, out, columns)

    return run
