# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython prange loop over parts of the vector, a maximum per part, as prange cannot reduce maxima."""

ALGORITHM = "in order"
FLAGS = ("-fopenmp",)
VARIANTS = {"fast": ("-ffast-math",)}

from cython cimport floating
from cython.parallel cimport prange
from libc.float cimport DBL_MAX, FLT_MAX

cdef enum:
    PARTS = 64  # number of parts; more than most machines have threads, to balance the load


cdef floating maximum_of_part(const floating *x, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef floating largest = -DBL_MAX if floating is double else -FLT_MAX
    cdef Py_ssize_t i
    for i in range(begin, end):
        if x[i] > largest:
            largest = x[i]
    return largest


def maximum(const floating[::1] x):
    cdef floating[PARTS] largest
    cdef Py_ssize_t part, n = x.shape[0]
    for part in prange(PARTS, nogil=True, schedule="static"):
        largest[part] = maximum_of_part(&x[0], n * part // PARTS, n * (part + 1) // PARTS)
    return maximum_of_part(<const floating *>largest, 0, PARTS)


def prepare(case):
    return maximum[case.ctype]
