"""scipy.ndimage.convolve with a cross of weights, over the border too, which is then restored."""

import numpy as np
from scipy.ndimage import convolve

WEIGHTS = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]]) / 5


def run(x, out):
    convolve(x, WEIGHTS, output=out, mode="nearest")
    out[:1], out[-1:], out[:, :1], out[:, -1:] = x[:1], x[-1:], x[:, :1], x[:, -1:]
