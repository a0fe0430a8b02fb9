"""cupy.cumsum into an array that is there already."""

import cupy as cp


def run(x, out):
    cp.cumsum(x, out=out)
