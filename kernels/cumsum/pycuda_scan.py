"""PyCUDA's InclusiveScanKernel, generated from the expression a + b."""

import numpy as np
from pycuda.scan import InclusiveScanKernel
from pycuda.tools import DeviceMemoryPool

ALGORITHM = "scan"


def prepare(case):
    cumsum = InclusiveScanKernel(np.dtype(case.dtype), "a + b", neutral="0", name_prefix="cumsum")
    pool, stream = DeviceMemoryPool(), case.stream
    return lambda x, out: cumsum(x, out, allocator=pool.allocate, stream=stream)
