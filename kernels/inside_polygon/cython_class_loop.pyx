# cython: boundscheck=False, wraparound=False, cdivision=True
"""Cython extension class that stores the vertices as C data. Python calls a method for each pixel."""

ALGORITHM = "pixel by pixel"

from libc.stdint cimport int32_t


# idea: the class stores the vertices as C data
cdef class Polygon:
    cdef const int32_t[:, ::1] corners
    cdef Py_ssize_t vertices

    def __init__(self, const int32_t[:, ::1] corners):
        self.corners = corners
        self.vertices = corners.shape[0]
# end of idea

    def inside(self, int32_t x, int32_t y):
        cdef Py_ssize_t i, after
        cdef int32_t xa, ya, xb, yb, across, along
        cdef int crossings = 0
        for i in range(self.vertices):
            after = (i + 1) % self.vertices
            xa, ya = self.corners[i, 0], self.corners[i, 1]
            xb, yb = self.corners[after, 0], self.corners[after, 1]
            if x == xa and y == ya:
                return True
            if min(ya, yb) < y <= max(ya, yb) and x <= max(xa, xb):
                across, along = (x - xa) * (yb - ya), (y - ya) * (xb - xa)
                crossings += across <= along if ya < yb else across >= along
        return crossings % 2 == 1


def convert(polygon):
    return {"polygon": Polygon(polygon)}


def run(polygon, mask):
    height, width = mask.shape
    for y in range(height):
        mask[y] = [polygon.inside(x, y) for x in range(width)]
