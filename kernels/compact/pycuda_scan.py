"""PyCUDA's InclusiveScanKernel counts the selected elements; a second kernel stores each at its place."""

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
    flag = ElementwiseKernel(f"{real} *x, int *kept", f"kept[i] = x[i] > ({real})0.5", "flag")
    count_up = InclusiveScanKernel(np.int32, "a + b", neutral="0", name_prefix="count_up")
    place = ElementwiseKernel(
        f"{real} *x, int *kept, {real} *out, int *count",
        f"""
        const bool is_kept = x[i] > ({real})0.5;
        out[is_kept ? kept[i] - 1 : n - 1 - (i - kept[i])] = is_kept ? x[i] : 0;
        if (i == n - 1)
            *count = kept[i];
        """,
        "place",
    )
    kept, count = gpuarray.empty(case.size, np.int32), gpuarray.zeros(1, np.int32)
    pool, stream = DeviceMemoryPool(), case.stream

    def run(x, out):
        # idea: flags, their prefix sums, then a place for each selected element
        flag(x, kept, stream=stream)
        count_up(kept, kept, allocator=pool.allocate, stream=stream)
        place(x, kept, out, count, stream=stream)
        # end of idea
        return count

    return run
