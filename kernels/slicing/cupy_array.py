"""CuPy's slice, copied into an array that is there already."""

import cupy as cp


def run(x, out):
    cp.copyto(out, x[::3])
