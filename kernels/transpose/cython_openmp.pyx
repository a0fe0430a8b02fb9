# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython prange loop: OpenMP threads share rows of tiles of 32 x 32 numbers."""

FLAGS = ("-fopenmp",)

from cython cimport floating
from cython.parallel cimport prange


cdef void row_of_tiles(const floating[:, ::1] x, floating[:, ::1] out, Py_ssize_t top) noexcept nogil:
    cdef Py_ssize_t left, i, j, n = x.shape[0]
    for left in range(0, n, 32):
        for i in range(top, min(top + 32, n)):
            for j in range(left, min(left + 32, n)):
                out[i, j] = x[j, i]


def transpose(const floating[:, ::1] x, floating[:, ::1] out):
    cdef Py_ssize_t top
    for top in prange(0, x.shape[0], 32, nogil=True, schedule="static"):
        row_of_tiles(x, out, top)


def prepare(case):
    return transpose[case.ctype]
