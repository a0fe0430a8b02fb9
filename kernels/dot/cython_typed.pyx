# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython loop over typed memoryviews."""

ALGORITHM = "in order"

from cython cimport floating


def dot(const floating[::1] x, const floating[::1] y):
    cdef floating product = 0
    cdef Py_ssize_t i
    for i in range(x.shape[0]):
        product += x[i] * y[i]
    return product


def prepare(case):
    return dot[case.ctype]
