"""cupy.copyto, which lets the driver copy."""

import cupy as cp


def run(x, out):
    cp.copyto(out, x)
