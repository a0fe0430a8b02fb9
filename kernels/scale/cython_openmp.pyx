# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython prange loop with OpenMP threads."""

FLAGS = ("-fopenmp",)

from cython cimport floating
from cython.parallel cimport prange


def scale(floating factor, const floating[::1] x, floating[::1] y):
    cdef Py_ssize_t i
    for i in prange(y.shape[0], nogil=True, schedule="static"):
        y[i] = factor * x[i]


def prepare(case):
    return scale[case.ctype]
