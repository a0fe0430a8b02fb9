"""cupy.linalg.norm, a new array each time."""

import cupy as cp


def run(x, out):
    return cp.linalg.norm(x, axis=1)
