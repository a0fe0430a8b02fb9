# cython: boundscheck=False, wraparound=False, cdivision=True
"""Exercise: OpenMP threads share the rows of the mask."""

ALGORITHM = "pixel by pixel"
FLAGS = ("-fopenmp",)

from libc.stdint cimport int32_t, uint8_t


cdef bint inside(const int32_t[:, ::1] polygon, int32_t x, int32_t y) noexcept nogil:
    cdef Py_ssize_t i, after, vertices = polygon.shape[0]
    cdef int32_t xa, ya, xb, yb, across, along
    cdef int crossings = 0
    for i in range(vertices):
        after = (i + 1) % vertices
        xa, ya, xb, yb = polygon[i, 0], polygon[i, 1], polygon[after, 0], polygon[after, 1]
        if x == xa and y == ya:
            return True
        if min(ya, yb) < y <= max(ya, yb) and x <= max(xa, xb):
            across, along = (x - xa) * (yb - ya), (y - ya) * (xb - xa)
            crossings += across <= along if ya < yb else across >= along
    return crossings % 2


def run(const int32_t[:, ::1] polygon, uint8_t[:, ::1] mask):
    raise NotImplementedError("let threads share these rows, by prange, then delete this line")
    cdef Py_ssize_t x, y
    for y in range(mask.shape[0]):
        for x in range(mask.shape[1]):
            mask[y, x] = inside(polygon, x, y)
