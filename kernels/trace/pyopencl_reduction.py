"""PyOpenCL ReductionKernel over the numbers of rows: its map expression looks up the elements."""

import numpy as np
from pyopencl.reduction import ReductionKernel


def prepare(case):
    trace = ReductionKernel(
        case.queue.context,
        np.dtype(case.dtype),
        neutral="0",
        reduce_expr="a + b",
        map_expr="matrix[i * stride]",
        arguments=f"__global const {case.ctype} *matrix, long stride",
    )
    stride, rows = np.int64(case.size + 1), slice(case.size)
    return lambda a: trace(a, stride, range=rows)
