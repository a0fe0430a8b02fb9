"""cupy.ones, a new array each time from CuPy's memory pool, as in the lecture."""

import cupy as cp


def run(out):
    return cp.ones(out.shape, out.dtype)
