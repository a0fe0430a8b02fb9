# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython loop over a typed memoryview."""

from cython cimport floating


def trace(const floating[:, ::1] a):
    cdef floating total = 0
    cdef Py_ssize_t i
    for i in range(a.shape[0]):
        total += a[i, i]
    return total


def prepare(case):
    return trace[case.ctype]
