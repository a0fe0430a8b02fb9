"""NumPy, row by row: find the columns where each row enters or leaves the polygon, then fill runs of 0 and 1."""

import numpy as np


def run(polygon, mask):
    height, width = mask.shape
    xa, ya = polygon.T
    xb, yb = np.roll(polygon, -1, axis=0).T
    y = np.arange(height)[:, np.newaxis]
    row, edge = np.nonzero((ya < y) != (yb < y))
    column = xa[edge] + (row - ya[edge]) * (xb - xa)[edge] // (yb - ya)[edge] + 1
    # Every row has an even number of crossings and ends outside, so all rows can be filled as one long row.
    ends = np.sort(row * width + np.clip(column, 0, width))
    lengths = np.diff(ends, prepend=0, append=mask.size)
    mask.reshape(-1)[:] = np.repeat((np.arange(len(lengths)) % 2).astype("uint8"), lengths)
    x, y = polygon[((polygon >= 0) & (polygon < (width, height))).all(axis=1)].T
    mask[y, x] = 1
