# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython loop over a typed memoryview."""

ALGORITHM = "in order"

from cython cimport floating
from libc.float cimport DBL_MAX, FLT_MAX


def maximum(const floating[::1] x):
    cdef floating largest = -DBL_MAX if floating is double else -FLT_MAX
    cdef Py_ssize_t i
    for i in range(x.shape[0]):
        if x[i] > largest:
            largest = x[i]
    return largest


def prepare(case):
    return maximum[case.ctype]
