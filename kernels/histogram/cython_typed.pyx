# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython loop over typed memoryviews."""

from cython cimport floating
from libc.stdint cimport int32_t


def histogram(const floating[::1] x, int32_t[::1] counts):
    cdef floating bin, bins = counts.shape[0]
    cdef Py_ssize_t i
    counts[:] = 0
    for i in range(x.shape[0]):
        bin = x[i] * bins
        if 0 <= bin < bins:
            counts[<int32_t> bin] += 1


def prepare(case):
    return histogram[case.ctype]
