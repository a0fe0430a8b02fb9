"""cupy.fft.fft: cuFFT, into a new array, by a plan that CuPy keeps for the next call."""

import cupy as cp


def run(x, out):
    return cp.fft.fft(x) if x.size else None  # CuPy refuses vectors of no elements
