"""cupy.multiply into an array that is there already."""

import cupy as cp


def run(x, y, out):
    cp.multiply(x, y, out=out)
