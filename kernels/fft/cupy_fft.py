"""cupy.fft.fft into a new array: cuFFT, with a plan that CuPy caches."""

import cupy as cp


def run(x, out):
    return cp.fft.fft(x) if x.size else None  # CuPy refuses empty vectors
