"""cupy.sort, a new array each time: Thrust's radix sort."""

import cupy as cp


def run(x, out):
    return cp.sort(x)
