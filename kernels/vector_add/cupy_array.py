"""cupy.add into an array that is there already."""

import cupy as cp


def run(x, y, out):
    cp.add(x, y, out=out)
