"""Numba-compiled loops, row by row."""

from numba import njit


@njit(cache=True)
def fill_row(polygon, row, y):
    row[:] = 0
    waiting = -1
    for i in range(len(polygon)):
        xa, ya = polygon[i]
        xb, yb = polygon[i + 1 if i + 1 < len(polygon) else 0]
        if (ya < y) != (yb < y):
            column = min(max(xa + (y - ya) * (xb - xa) // (yb - ya) + 1, 0), len(row))
            if waiting < 0:
                waiting = column
            else:
                for x in range(min(waiting, column), max(waiting, column)):
                    row[x] ^= 1
                waiting = -1


@njit(cache=True)
def run(polygon, mask):
    height, width = mask.shape
    for y in range(height):
        fill_row(polygon, mask[y], y)
    for x, y in polygon:
        if 0 <= x < width and 0 <= y < height:
            mask[y, x] = 1
