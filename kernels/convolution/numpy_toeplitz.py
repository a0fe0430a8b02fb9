"""A matrix product: overlapping pieces of the signal times the weights, one row further down in each column.

A NaN or an infinity is multiplied by zeros, too, and so makes NaN of up to 15 results before and after those that it
contributes to.
"""

import numpy as np
from numpy.lib.stride_tricks import as_strided, sliding_window_view

ALGORITHM = "matrix product"

WIDTH = 16  # outputs of a piece: more mean more products with zero, fewer are too narrow for BLAS
PIECES = 512  # in one product: those of 46 float64 fit a second-level cache of 256 KiB


def run(x, weights, out):
    taps, width = weights.size, WIDTH + weights.size - 1
    moved = np.zeros((width, WIDTH), x.dtype)
    down, across = moved.strides
    as_strided(moved, (taps, WIDTH), (down, down + across))[:] = weights[::-1, np.newaxis]
    count = out.size // WIDTH
    if count:
        pieces = sliding_window_view(x, width)[::WIDTH]
        rows = out[: count * WIDTH].reshape(count, WIDTH)
        for first in range(0, count, PIECES):
            block = rows[first : first + PIECES]
            np.matmul(pieces[first : first + len(block)], moved, out=block)
    if count * WIDTH < out.size:
        out[count * WIDTH :] = np.convolve(x[count * WIDTH :], weights, "valid")
