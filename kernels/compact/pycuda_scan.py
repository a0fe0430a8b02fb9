"""One kernel flags the selected elements, InclusiveScanKernel counts them, and a third stores each at its place."""

import numpy as np
from pycuda import gpuarray
from pycuda.elementwise import ElementwiseKernel
from pycuda.scan import InclusiveScanKernel
from pycuda.tools import DeviceMemoryPool

ALGORITHM = "scan"


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("PyCUDA's elementwise kernels take at least one element")
    real = case.ctype
    flag = ElementwiseKernel(f"{real} *x, int *selected", f"selected[i] = x[i] > ({real})0.5", "flag")
    count_up = InclusiveScanKernel(np.int32, "a + b", neutral="0", name_prefix="count_up")
    place = ElementwiseKernel(
        f"{real} *x, int *selected, {real} *out, int *count",
        f"""
        const bool is_selected = x[i] > ({real})0.5;
        out[is_selected ? selected[i] - 1 : n - 1 - (i - selected[i])] = is_selected ? x[i] : 0;
        if (i == n - 1)
            *count = selected[i];
        """,
        "place",
    )
    selected, count = gpuarray.empty(case.size, np.int32), gpuarray.zeros(1, np.int32)
    pool, stream = DeviceMemoryPool(), case.stream

    def run(x, out):
        # idea: flags, their prefix sums, then a place for each selected element
        flag(x, selected, stream=stream)
        count_up(selected, selected, allocator=pool.allocate, stream=stream)
        place(x, selected, out, count, stream=stream)
        # end of idea
        return count

    return run
