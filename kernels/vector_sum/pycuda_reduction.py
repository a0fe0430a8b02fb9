"""PyCUDA ReductionKernel."""

import numpy as np
from pycuda.reduction import ReductionKernel


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("PyCUDA reduces arrays of at least one element")
    real = {"float64": "double", "float32": "float"}[case.dtype]
    vector_sum = ReductionKernel(
        np.dtype(case.dtype), neutral="0", reduce_expr="a + b", map_expr="x[i]", arguments=f"const {real} *x"
    )

    def run(x):
        return vector_sum(x, stream=case.stream)

    return run
