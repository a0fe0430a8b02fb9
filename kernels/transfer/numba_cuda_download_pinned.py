"""copy_to_host: from the device to pinned memory."""

import numpy as np
from numba import cuda


def convert(x):
    return (cuda.to_device(x),)


def prepare(case):
    size, dtype, stream = case.size, case.dtype, case.stream
    pinned = cuda.pinned_array(size, dtype) if size else np.empty(0, dtype)  # 0 bytes cannot be allocated

    def run(x, out):
        x.copy_to_host(pinned, stream=stream)
        stream.synchronize()
        return pinned

    return run
