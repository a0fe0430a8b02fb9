"""cupy.sort, a new array each time: Thrust's radix sort."""

import cupy as cp

ALGORITHM = "radix sort"


def run(x, out):
    return cp.sort(x)
