"""PyCUDA ReductionKernel."""

import numpy as np
from pycuda.reduction import ReductionKernel


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("PyCUDA reduces arrays of at least one element")
    real = case.ctype
    vector_sum = ReductionKernel(
        np.dtype(case.dtype), neutral="0", reduce_expr="a + b", map_expr="x[i]", arguments=f"const {real} *x"
    )
    return lambda x: vector_sum(x, stream=case.stream)
