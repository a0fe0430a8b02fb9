# cython: boundscheck=False, wraparound=False, cdivision=True
"""Cython, row by row: each pair of crossings flips the pixels between them."""

VARIANTS = {"openmp": ("-fopenmp",)}

from cython.parallel cimport prange
from libc.stdint cimport int32_t, uint8_t
from libc.stdlib cimport abs


cdef int32_t column_after(int32_t xa, int32_t ya, int32_t xb, int32_t yb, int32_t y) noexcept nogil:
    cdef int32_t x_left = min(xa, xb), y_left = ya if xa < xb else yb
    return x_left + abs(y - y_left) * abs(xb - xa) // abs(yb - ya) + 1


# idea: row by row: each pair of crossings flips the pixels between them
cdef void fill_row(const int32_t[:, ::1] polygon, uint8_t *row, int32_t width, int32_t y) noexcept nogil:
    cdef Py_ssize_t i, after, vertices = polygon.shape[0]
    cdef int32_t x, column, waiting = -1
    for x in range(width):
        row[x] = 0
    for i in range(vertices):
        after = i + 1 if i + 1 < vertices else 0
        if (polygon[i, 1] < y) != (polygon[after, 1] < y):
            column = column_after(polygon[i, 0], polygon[i, 1], polygon[after, 0], polygon[after, 1], y)
            column = min(max(column, 0), width)
            if waiting < 0:
                waiting = column
            else:
                for x in range(min(waiting, column), max(waiting, column)):
                    row[x] ^= 1
                waiting = -1
# end of idea


def run(const int32_t[:, ::1] polygon, uint8_t[:, ::1] mask):
    cdef int32_t y, height = mask.shape[0], width = mask.shape[1]
    cdef Py_ssize_t i
    for y in prange(height, nogil=True, schedule="static"):
        fill_row(polygon, &mask[y, 0], width, y)
    for i in range(polygon.shape[0]):
        if 0 <= polygon[i, 0] < width and 0 <= polygon[i, 1] < height:
            mask[polygon[i, 1], polygon[i, 0]] = 1
