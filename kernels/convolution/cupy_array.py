"""cupy.convolve, which chooses between sums and a Fourier transform, into a new array."""

import cupy as cp


def run(x, weights, out):
    return cp.convolve(x, weights, "valid")[: out.size]  # with x the shorter one, at size 0, the two change roles
