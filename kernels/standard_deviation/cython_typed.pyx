# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Cython loops over a typed memoryview, in two passes."""

from cython cimport floating
from libc.math cimport sqrt


def deviation(const floating[::1] x):
    cdef double total = 0, squares = 0, mean
    cdef Py_ssize_t i
    for i in range(x.shape[0]):
        total += x[i]
    mean = total / x.shape[0]
    for i in range(x.shape[0]):
        squares += (x[i] - mean) ** 2
    return sqrt(squares / x.shape[0])


def prepare(case):
    return deviation[case.ctype]
