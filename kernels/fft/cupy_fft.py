"""cupy.fft.fft calls cuFFT with a plan that CuPy caches, and makes a new array."""

import cupy as cp


def run(x, out):
    return cp.fft.fft(x) if x.size else None  # CuPy refuses empty vectors
