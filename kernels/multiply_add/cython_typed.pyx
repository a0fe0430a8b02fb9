# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython loop over typed memoryviews."""

from cython cimport floating


def multiply_add(const floating[::1] x1, const floating[::1] x2, floating b, floating[::1] out):
    cdef Py_ssize_t i
    for i in range(out.shape[0]):
        out[i] = x1[i] * x2[i] + b


def prepare(case):
    return multiply_add[case.ctype]
