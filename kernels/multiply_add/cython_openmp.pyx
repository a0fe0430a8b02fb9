# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython prange loop with OpenMP threads."""

FLAGS = ("-fopenmp",)

from cython cimport floating
from cython.parallel cimport prange


def multiply_add(const floating[::1] x1, const floating[::1] x2, floating b, floating[::1] out):
    cdef Py_ssize_t i
    for i in prange(out.shape[0], nogil=True, schedule="static"):
        out[i] = x1[i] * x2[i] + b


def prepare(case):
    return multiply_add[case.ctype]
