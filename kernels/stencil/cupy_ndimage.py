"""cupyx.scipy.ndimage.convolve with a cross of weights, over the border too, which is then restored."""

import cupy as cp
from cupyx.scipy.ndimage import convolve

WEIGHTS = [[0, 1, 0], [1, 1, 1], [0, 1, 0]]


def prepare(case):
    weights = cp.array(WEIGHTS, case.dtype) / 5

    def run(x, out):
        convolve(x, weights, output=out, mode="nearest")
        out[:1], out[-1:], out[:, :1], out[:, -1:] = x[:1], x[-1:], x[:, :1], x[:, -1:]

    return run
