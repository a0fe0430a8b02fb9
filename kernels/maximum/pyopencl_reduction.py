"""PyOpenCL ReductionKernel."""

import numpy as np
from pyopencl.reduction import ReductionKernel


def prepare(case):
    real, lowest = {"float64": ("double", "-DBL_MAX"), "float32": ("float", "-FLT_MAX")}[case.dtype]
    return ReductionKernel(
        case.queue.context,
        np.dtype(case.dtype),
        neutral=lowest,
        reduce_expr="max(a, b)",
        map_expr="x[i]",
        arguments=f"__global const {real} *x",
    )
