# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython loop over a typed memoryview."""

from cython cimport floating


def fill(floating[::1] out):
    cdef Py_ssize_t i
    for i in range(out.shape[0]):
        out[i] = 1


def prepare(case):
    return fill[case.ctype]
