# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython prange loop with OpenMP threads."""

FLAGS = ("-fopenmp",)

from cython cimport floating
from cython.parallel cimport prange


def vector_add(const floating[::1] x, const floating[::1] y, floating[::1] out):
    cdef Py_ssize_t i
    for i in prange(out.shape[0], nogil=True, schedule="static"):
        out[i] = x[i] + y[i]


def prepare(case):
    return vector_add[case.ctype]
