"""pyopencl.algorithm.copy_if into a new array, whose tail an ElementwiseKernel clears."""

import numpy as np
from pyopencl.algorithm import copy_if
from pyopencl.elementwise import ElementwiseKernel

ALGORITHM = "scan"


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("copy_if does not count what is kept of nothing")
    clear_tail = ElementwiseKernel(
        case.queue.context, f"{case.ctype} *out, const unsigned *count", "if (i >= *count) out[i] = 0", "clear_tail"
    )
    half = np.dtype(case.dtype).type(0.5)

    def run(x, out):
        kept, count, _ = copy_if(x, "ary[i] > limit", extra_args=[("limit", half)])
        clear_tail(kept, count)
        return kept, count

    return run
