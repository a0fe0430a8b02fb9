# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython loop over typed memoryviews."""

from cython cimport floating


def cumsum(const floating[::1] x, floating[::1] out):
    cdef floating total = 0
    cdef Py_ssize_t i
    for i in range(x.shape[0]):
        total += x[i]
        out[i] = total


def prepare(case):
    return cumsum[case.ctype]
