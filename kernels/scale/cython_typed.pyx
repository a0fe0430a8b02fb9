# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython loop over typed memoryviews."""

from cython cimport floating


def scale(floating factor, const floating[::1] x, floating[::1] y):
    cdef Py_ssize_t i
    for i in range(y.shape[0]):
        y[i] = factor * x[i]


def prepare(case):
    return scale[case.ctype]
