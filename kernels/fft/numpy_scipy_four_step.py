"""One transform made of many, for scipy.fft's workers to share: columns of a matrix, twiddle factors, rows."""

import math
import os

import numpy as np
from scipy import fft

PARAMETERS = ("threads",)


def prepare(case):
    n, workers = case.size, int(os.environ["OMP_NUM_THREADS"])
    rows = next((r for r in range(math.isqrt(n), 1, -1) if n % r == 0), None)
    if rows is None:
        raise NotImplementedError(f"{n} elements make no matrix of several rows and columns")
    columns = n // rows
    twiddles = np.exp(-2j * np.pi / n * np.outer(np.arange(rows), np.arange(columns))).astype(case.dtype)

    def run(x, out):
        steps = fft.fft(x.reshape(rows, columns), axis=0, workers=workers)
        steps *= twiddles
        steps = fft.fft(steps, axis=1, overwrite_x=True, workers=workers)
        out.reshape(columns, rows)[:] = steps.T

    return run
