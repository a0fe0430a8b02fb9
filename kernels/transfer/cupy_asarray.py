"""cupy.asarray: from pageable memory to a new array on the device."""

import cupy as cp


def run(x, out):
    return cp.asarray(x)
