"""numpy.fft.fft for short vectors; for long ones, the four-step algorithm, whose columns and rows fit the caches."""

import math

import numpy as np

SHORT = 2**17  # maximum number of elements for which a single transform is not slower than four steps
LEAST = 32  # minimum number of rows of a matrix for which four steps are faster


def prepare(case):
    n = case.size
    rows = next((r for r in range(math.isqrt(n), LEAST - 1, -1) if n % r == 0), None)
    if n <= SHORT or rows is None:

        def run(x, out):
            if n:  # NumPy refuses empty vectors
                np.fft.fft(x, out=out)

        return run

    shape = rows, n // rows
    twiddles = np.exp(-2j * np.pi / n * np.outer(*map(np.arange, shape))).astype(case.dtype)
    first, second = np.empty(shape, case.dtype), np.empty(shape, case.dtype)

    def run(x, out):
        np.fft.fft(x.reshape(shape), axis=0, out=first)
        np.multiply(first, twiddles, out=first)
        np.fft.fft(first, axis=1, out=second)
        out.reshape(shape[::-1])[:] = second.T

    return run
