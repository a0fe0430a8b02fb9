# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Cython prange loops on OpenMP threads, in two passes and double precision."""

FLAGS = ("-fopenmp",)

from cython cimport floating
from cython.parallel cimport prange
from libc.math cimport sqrt


def deviation(const floating[::1] x):
    cdef double total = 0, squares = 0, mean
    cdef Py_ssize_t i
    for i in prange(x.shape[0], nogil=True, schedule="static"):
        total += x[i]
    mean = total / x.shape[0]
    for i in prange(x.shape[0], nogil=True, schedule="static"):
        squares += (x[i] - mean) ** 2
    return sqrt(squares / x.shape[0])


def prepare(case):
    return deviation[case.ctype]
