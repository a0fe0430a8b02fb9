"""CuPy arrays: compare all pixels with one edge after the other. Each operation passes over memory."""

import cupy as cp

ALGORITHM = "edge by edge"


def run(polygon, mask):
    height, width = mask.shape
    x = cp.arange(width, dtype=polygon.dtype)
    y = cp.arange(height, dtype=polygon.dtype)[:, cp.newaxis]
    inside, corner = cp.zeros((2, height, width), bool)
    for i in range(len(polygon)):
        (xa, ya), (xb, yb) = polygon[i - 1], polygon[i]
        across, along = (x - xa) * (yb - ya), (y - ya) * (xb - xa)
        inside ^= ((ya < y) != (yb < y)) & cp.where(ya < yb, across <= along, across >= along)
        corner |= (x == xb) & (y == yb)
    mask[...] = inside | corner
