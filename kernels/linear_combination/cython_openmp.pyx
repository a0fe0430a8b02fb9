# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython prange loop with OpenMP threads."""

FLAGS = ("-fopenmp",)

from cython cimport floating
from cython.parallel cimport prange


def linear_combination(floating a, const floating[::1] x, floating b, const floating[::1] y, floating[::1] z):
    cdef Py_ssize_t i
    for i in prange(z.shape[0], nogil=True, schedule="static"):
        z[i] = a * x[i] + b * y[i]


def prepare(case):
    return linear_combination[case.ctype]
