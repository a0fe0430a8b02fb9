"""cupy.max, by CUB if CUPY_ACCELERATORS names it."""

import cupy as cp


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("CuPy's maximum of no elements is an error")
    return cp.max
