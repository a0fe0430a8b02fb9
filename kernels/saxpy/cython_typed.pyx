# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython loop over typed memoryviews."""

from cython cimport floating


def saxpy(floating a, const floating[::1] x, const floating[::1] y, floating[::1] out):
    cdef Py_ssize_t i
    for i in range(out.shape[0]):
        out[i] = a * x[i] + y[i]


def prepare(case):
    return saxpy[case.ctype]
