# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython prange loop with OpenMP threads; with fast-math, also in SIMD lanes."""

ALGORITHM = "in order"
FLAGS = ("-fopenmp",)
VARIANTS = {"fast": ("-ffast-math", "-funroll-loops", "-fvariable-expansion-in-unroller")}

from cython cimport floating
from cython.parallel cimport prange


def dot(const floating[::1] x, const floating[::1] y):
    cdef floating product = 0
    cdef Py_ssize_t i
    for i in prange(x.shape[0], nogil=True, schedule="static"):
        product += x[i] * y[i]
    return product


def prepare(case):
    return dot[case.ctype]
