"""PyOpenCL ReductionKernels for the mean and for the mean of the squared differences: two passes that write nothing."""

import numpy as np
from pyopencl import clmath
from pyopencl.reduction import ReductionKernel


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("there is no mean of no elements to subtract")
    real = case.ctype
    sum_up = {"neutral": "0", "reduce_expr": "a + b"}
    context, dtype = case.queue.context, np.dtype(case.dtype)
    mean = ReductionKernel(
        context, dtype, **sum_up, map_expr="x[i] * share", arguments=f"__global const {real} *x, {real} share"
    )
    variance = ReductionKernel(
        context,
        dtype,
        **sum_up,
        map_expr="(x[i] - mean[0]) * (x[i] - mean[0]) * share",
        arguments=f"__global const {real} *x, __global const {real} *mean, {real} share",
    )
    share = dtype.type(1 / case.size)
    return lambda x: clmath.sqrt(variance(x, mean(x, share), share))
