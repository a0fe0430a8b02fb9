# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython prange: OpenMP threads, and waking them takes longer than a short diagonal."""

FLAGS = ("-fopenmp", "-ffast-math", "-march=native")

from cython cimport floating
from cython.parallel cimport prange


def trace(const floating[:, ::1] a):
    cdef floating total = 0
    cdef Py_ssize_t i
    for i in prange(a.shape[0], nogil=True, schedule="static"):
        total += a[i, i]
    return total


def prepare(case):
    return trace[case.ctype]
