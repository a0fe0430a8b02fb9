"""PyCUDA ReductionKernel."""

import numpy as np
from pycuda.reduction import ReductionKernel


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("PyCUDA reduces arrays of at least one element")
    vector_sum = ReductionKernel(
        np.dtype(case.dtype), neutral="0", reduce_expr="a + b", map_expr="x[i]", arguments=f"const {case.ctype} *x"
    )
    return lambda x: vector_sum(x, stream=case.stream)
