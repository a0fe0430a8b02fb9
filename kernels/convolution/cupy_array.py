"""cupy.convolve, which chooses between sums and a Fourier transform, into a new array."""

import cupy as cp


def run(x, weights, out):
    return cp.convolve(x, weights, "valid")[: out.size]  # at size 0, x is the shorter one, and the two swap roles
