"""cupy.copyto: the driver's own copy."""

import cupy as cp


def run(x, out):
    cp.copyto(out, x)
