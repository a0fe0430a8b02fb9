# cython: boundscheck=False, wraparound=False, cdivision=True
"""Exercise: Cython extension class that stores the vertices as C data and computes the whole mask in a method."""

ALGORITHM = "pixel by pixel"

from libc.stdint cimport int32_t, uint8_t


cdef class Polygon:
    cdef const int32_t[:, ::1] corners
    cdef Py_ssize_t vertices

    def __init__(self, const int32_t[:, ::1] corners):
        self.corners = corners
        self.vertices = corners.shape[0]

    cdef bint inside(self, int32_t x, int32_t y) noexcept nogil:
        return False  # the rule in kernel.py, as a C method without Python objects

    def make_mask(self, uint8_t[:, ::1] mask):
        raise NotImplementedError("write inside() and make_mask(), then delete this line")


def convert(polygon):
    return {"polygon": Polygon(polygon)}


def run(polygon, mask):
    polygon.make_mask(mask)
