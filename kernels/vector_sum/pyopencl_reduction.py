"""PyOpenCL ReductionKernel."""

import numpy as np
from pyopencl.reduction import ReductionKernel


def prepare(case):
    return ReductionKernel(
        case.queue.context,
        np.dtype(case.dtype),
        neutral="0",
        reduce_expr="a + b",
        map_expr="x[i]",
        arguments=f"__global const {case.ctype} *x",
    )
