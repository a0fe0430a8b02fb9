# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython prange loop with OpenMP threads."""

FLAGS = ("-fopenmp",)

from cython cimport floating
from cython.parallel cimport prange


def fill(floating[::1] out):
    cdef Py_ssize_t i
    for i in prange(out.shape[0], nogil=True, schedule="static"):
        out[i] = 1


def prepare(case):
    return fill[case.ctype]
