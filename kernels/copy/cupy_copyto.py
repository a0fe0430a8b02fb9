"""cupy.copyto into an array that is there already: the driver's own copy."""

import cupy as cp


def run(x, out):
    cp.copyto(out, x)
