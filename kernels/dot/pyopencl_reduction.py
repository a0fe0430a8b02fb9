"""PyOpenCL ReductionKernel: the products are its map expression."""

import numpy as np
from pyopencl.reduction import ReductionKernel


def prepare(case):
    real = case.ctype
    return ReductionKernel(
        case.queue.context,
        np.dtype(case.dtype),
        neutral="0",
        reduce_expr="a + b",
        map_expr="x[i] * y[i]",
        arguments=f"__global const {real} *x, __global const {real} *y",
    )
