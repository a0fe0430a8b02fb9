# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython prange loop: OpenMP threads share the rows; with fast-math, SIMD lanes share a row's columns."""

ALGORITHM = "in order"
FLAGS = ("-fopenmp",)
VARIANTS = {"fast": ("-ffast-math",)}

from cython cimport floating
from cython.parallel cimport prange
from libc.math cimport sqrt


cdef floating norm_of_row(const floating *x, Py_ssize_t columns) noexcept nogil:
    cdef floating total = 0
    cdef Py_ssize_t j
    for j in range(columns):
        total += x[j] * x[j]
    return sqrt(total)


def l2norm(const floating[:, ::1] x, floating[::1] out):
    cdef Py_ssize_t i
    for i in prange(x.shape[0], nogil=True, schedule="static"):
        out[i] = norm_of_row(&x[i, 0], x.shape[1])


def prepare(case):
    return l2norm[case.ctype]
