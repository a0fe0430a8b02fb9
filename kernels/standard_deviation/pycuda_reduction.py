"""PyCUDA ReductionKernels for the mean and for the mean of the squared differences: two passes that write nothing."""

import numpy as np
from pycuda import cumath
from pycuda.reduction import ReductionKernel


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("PyCUDA reduces arrays of at least one element")
    real = case.ctype
    sum_up = {"dtype_out": np.dtype(case.dtype), "neutral": "0", "reduce_expr": "a + b"}
    mean = ReductionKernel(**sum_up, map_expr="x[i] * share", arguments=f"const {real} *x, {real} share")
    variance = ReductionKernel(
        **sum_up,
        map_expr="(x[i] - mean[0]) * (x[i] - mean[0]) * share",
        arguments=f"const {real} *x, const {real} *mean, {real} share",
    )
    share, stream = np.dtype(case.dtype).type(1 / case.size), case.stream
    return lambda x: cumath.sqrt(variance(x, mean(x, share, stream=stream), share, stream=stream), stream=stream)
