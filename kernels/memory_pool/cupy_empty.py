"""cupy.empty, from CuPy's default memory pool."""

import cupy as cp


def prepare(case):
    size = case.size
    return lambda: cp.empty(size, cp.uint8).nbytes
