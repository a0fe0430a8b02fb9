"""NumPy: compare each edge with all pixels of the rows that the edge spans."""

import numpy as np

ALGORITHM = "edge by edge"


def run(polygon, mask):
    height, width = mask.shape
    inside = mask.view(bool)
    inside.fill(False)
    x = np.arange(width, dtype=polygon.dtype)
    y = np.arange(height, dtype=polygon.dtype)[:, np.newaxis]
    for start, end in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        (xa, ya), (xb, yb) = (start, end) if start[1] < end[1] else (end, start)
        rows = slice(max(ya + 1, 0), max(yb + 1, 0))
        inside[rows] ^= x * (yb - ya) <= xa * (yb - ya) + (y[rows] - ya) * (xb - xa)
    x, y = polygon[((polygon >= 0) & (polygon < (width, height))).all(axis=1)].T
    inside[y, x] = True
