"""PyCUDA ReductionKernel whose map expression computes the products."""

import numpy as np
from pycuda.reduction import ReductionKernel


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("PyCUDA reduces arrays of at least one element")
    real = case.ctype
    dot = ReductionKernel(
        np.dtype(case.dtype),
        neutral="0",
        reduce_expr="a + b",
        map_expr="x[i] * y[i]",
        arguments=f"const {real} *x, const {real} *y",
    )
    return lambda x, y: dot(x, y, stream=case.stream)
