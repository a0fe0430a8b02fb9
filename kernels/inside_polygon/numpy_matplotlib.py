"""matplotlib.path.Path.contains_points, a library function for this task, on all pixels in one call."""

import numpy as np
from matplotlib.path import Path

ALGORITHM = "pixel by pixel"

# If a pixel is on an edge, Matplotlib's result depends on the direction of the edge. So this code moves all pixels left
# by SHIFT, which is less than the distance from a column to any crossing next to it (at least 1/32768). Then no pixel
# is on an edge, the mask follows the rule of kernel.py, and float64 represents all products exactly.
SHIFT = 2.0**-17


def run(polygon, mask):
    height, width = mask.shape
    pixels = np.empty((height, width, 2))
    pixels[..., 0] = np.arange(width) - SHIFT
    pixels[..., 1] = np.arange(height)[:, np.newaxis]
    mask[...] = Path(polygon).contains_points(pixels.reshape(-1, 2)).reshape(mask.shape)
    x, y = polygon[((polygon >= 0) & (polygon < (width, height))).all(axis=1)].T
    mask[y, x] = 1
