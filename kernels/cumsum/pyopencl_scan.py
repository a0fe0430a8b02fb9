"""PyOpenCL InclusiveScanKernel."""

import numpy as np
from pyopencl.scan import InclusiveScanKernel

ALGORITHM = "scan"


def prepare(case):
    cumsum = InclusiveScanKernel(case.queue.context, np.dtype(case.dtype), "a + b", neutral="0")

    def run(x, out):
        cumsum(x, out)

    return run
