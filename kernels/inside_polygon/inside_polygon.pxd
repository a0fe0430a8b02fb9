"""Declarations of the C functions of inside_polygon.h for Cython."""

from libc.stdint cimport int32_t, int64_t, uint8_t


cdef extern from "inside_polygon.h" nogil:
    void inside_polygon_int32(const int32_t *polygon, int64_t vertices, uint8_t *mask, int64_t height, int64_t width)
