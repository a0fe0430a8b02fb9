# cython: boundscheck=False, wraparound=False
"""Cython wrapper of the C library, whose functions a .pxd file declares."""

ALGORITHM = "pixel by pixel"
SOURCES = ("inside_polygon.c",)

from inside_polygon cimport inside_polygon_int32
from libc.stdint cimport int32_t, uint8_t


def run(const int32_t[:, ::1] polygon, uint8_t[:, ::1] mask):
    cdef const int32_t *corners = &polygon[0, 0] if polygon.size else NULL
    if mask.size:
        inside_polygon_int32(corners, polygon.shape[0], &mask[0, 0], mask.shape[0], mask.shape[1])
