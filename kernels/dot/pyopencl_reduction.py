"""PyOpenCL ReductionKernel: the products are its map expression."""

from pyopencl.reduction import ReductionKernel


def prepare(case):
    vectors = f"__global const {case.ctype} *x, __global const {case.ctype} *y"
    return ReductionKernel(
        case.queue.context, case.dtype, neutral="0", reduce_expr="a + b", map_expr="x[i] * y[i]", arguments=vectors
    )
