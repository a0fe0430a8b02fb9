# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython loop over typed memoryviews."""

from cython cimport floating


def linear_combination(floating a, const floating[::1] x, floating b, const floating[::1] y, floating[::1] z):
    cdef Py_ssize_t i
    for i in range(z.shape[0]):
        z[i] = a * x[i] + b * y[i]


def prepare(case):
    return linear_combination[case.ctype]
