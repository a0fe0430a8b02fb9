"""pyopencl.algorithm.copy_if makes a new array; an ElementwiseKernel sets the tail of this array to zero."""

import numpy as np
from pyopencl.algorithm import copy_if
from pyopencl.elementwise import ElementwiseKernel

ALGORITHM = "scan"


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("copy_if does not count the elements of an empty array")
    clear_tail = ElementwiseKernel(
        case.queue.context, f"{case.ctype} *out, const unsigned *count", "if (i >= *count) out[i] = 0", "clear_tail"
    )
    half = np.dtype(case.dtype).type(0.5)

    def run(x, out):
        selected, count, _ = copy_if(x, "ary[i] > limit", extra_args=[("limit", half)])
        clear_tail(selected, count)
        return selected, count

    return run
