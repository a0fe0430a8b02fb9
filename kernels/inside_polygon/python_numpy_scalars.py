"""Pure Python on NumPy scalars. They are slower than tuples, since each is extracted from an array."""

import numpy as np

ALGORITHM = "pixel by pixel"


def inside(polygon, point):
    crossings = 0
    for i, start in enumerate(polygon):
        if start[0] == point[0] and start[1] == point[1]:
            return True
        end = polygon[(i + 1) % len(polygon)]
        if min(start[1], end[1]) < point[1] <= max(start[1], end[1]) and point[0] <= max(start[0], end[0]):
            low, high = (start, end) if start[1] < end[1] else (end, start)
            across = (point[0] - low[0]) * (high[1] - low[1])
            crossings += across <= (point[1] - low[1]) * (high[0] - low[0])
    return crossings % 2 == 1


def run(polygon, mask):
    height, width = mask.shape
    for y in range(height):
        for x in range(width):
            mask[y, x] = inside(polygon, np.array((x, y), polygon.dtype))
