"""PyOpenCL GenericScanKernel: counts the selected elements and stores each at its place, in one kernel."""

import numpy as np
import pyopencl.array as cl_array
from pyopencl.scan import GenericScanKernel

ALGORITHM = "scan"


def prepare(case):
    real = case.ctype
    compact = GenericScanKernel(
        case.queue.context,
        np.int32,
        arguments=f"__global const {real} *x, __global {real} *out, __global int *count",
        input_expr=f"x[i] > ({real})0.5 ? 1 : 0",
        scan_expr="a + b",
        neutral="0",
        output_statement=f"""
            const bool selected = x[i] > ({real})0.5;
            out[selected ? item - 1 : N - 1 - (i - item)] = selected ? x[i] : 0;
            if (i == N - 1)
                *count = item;
        """,
        name_prefix="compact",
    )
    count = cl_array.zeros(case.queue, 1, np.int32)

    def run(x, out):
        compact(x, out, count)
        return count

    return run
