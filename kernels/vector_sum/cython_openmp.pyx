# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython prange loop with OpenMP threads; with fast-math, also in SIMD lanes."""

ALGORITHM = "in order"
FLAGS = ("-fopenmp",)
VARIANTS = {"fast": ("-ffast-math", "-funroll-loops", "-fvariable-expansion-in-unroller")}

from cython cimport floating
from cython.parallel cimport prange


def vector_sum(const floating[::1] x):
    cdef floating total = 0
    cdef Py_ssize_t i
    for i in prange(x.shape[0], nogil=True, schedule="static"):
        total += x[i]
    return total


def prepare(case):
    return vector_sum[case.ctype]
