# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython loop over typed memoryviews."""

from cython cimport floating
from libc.stdint cimport int32_t


def histogram(const floating[::1] x, int32_t[::1] counts):
    cdef floating bins = counts.shape[0]
    cdef Py_ssize_t i
    counts[:] = 0
    for i in range(x.shape[0]):
        counts[<int32_t> (x[i] * bins)] += 1


def prepare(case):
    return histogram[case.ctype]
