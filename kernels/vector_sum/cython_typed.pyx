# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython loop over a typed memoryview."""

ALGORITHM = "in order"

from cython cimport floating


def vector_sum(const floating[::1] x):
    cdef floating total = 0
    cdef Py_ssize_t i
    for i in range(x.shape[0]):
        total += x[i]
    return total


def prepare(case):
    return vector_sum[case.ctype]
