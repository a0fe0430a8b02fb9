"""cupy.asarray: to a new array on the device, from pageable memory."""

import cupy as cp


def run(x, out):
    return cp.asarray(x)
