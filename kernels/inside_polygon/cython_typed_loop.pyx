# cython: boundscheck=False, wraparound=False, cdivision=True
"""Cython function with typed arrays, called for each pixel. Every call creates the memoryview again."""

ALGORITHM = "pixel by pixel"

from libc.stdint cimport int32_t

import numpy as np


def inside(polygon, point):
    cdef const int32_t[:, ::1] corners = np.ascontiguousarray(polygon, dtype="int32")
    cdef Py_ssize_t i, after, vertices = corners.shape[0]
    cdef int32_t x = point[0], y = point[1], xa, ya, xb, yb, across, along
    cdef int crossings = 0
    for i in range(vertices):
        after = (i + 1) % vertices
        xa, ya, xb, yb = corners[i, 0], corners[i, 1], corners[after, 0], corners[after, 1]
        if x == xa and y == ya:
            return True
        if min(ya, yb) < y <= max(ya, yb) and x <= max(xa, xb):
            across, along = (x - xa) * (yb - ya), (y - ya) * (xb - xa)
            crossings += across <= along if ya < yb else across >= along
    return crossings % 2


def run(polygon, mask):
    height, width = mask.shape
    for y in range(height):
        mask[y] = [inside(polygon, (x, y)) for x in range(width)]
