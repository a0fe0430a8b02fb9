"""Numba-compiled loops, pixel by pixel."""

from numba import njit

ALGORITHM = "pixel by pixel"


@njit(cache=True)
def inside(polygon, x, y):
    crossings = 0
    for i in range(len(polygon)):
        xa, ya = polygon[i]
        if x == xa and y == ya:
            return True
        xb, yb = polygon[(i + 1) % len(polygon)]
        if min(ya, yb) < y <= max(ya, yb) and x <= max(xa, xb):
            across, along = (x - xa) * (yb - ya), (y - ya) * (xb - xa)
            crossings += across <= along if ya < yb else across >= along
    return crossings % 2 == 1


@njit(cache=True)
def run(polygon, mask):
    height, width = mask.shape
    for y in range(height):
        for x in range(width):
            mask[y, x] = inside(polygon, x, y)
