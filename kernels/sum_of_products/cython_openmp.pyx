# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython prange loop: OpenMP threads share the rows; with fast-math, SIMD lanes share a row's columns."""

ALGORITHM = "in order"
FLAGS = ("-fopenmp",)
VARIANTS = {"fast": ("-ffast-math",)}

from cython cimport floating
from cython.parallel cimport prange


cdef floating sum_of_row(const floating *x, const floating *y, Py_ssize_t columns) noexcept nogil:
    cdef floating total = 0
    cdef Py_ssize_t j
    for j in range(columns):
        total += x[j] * y[j]
    return total


def sum_of_products(const floating[:, ::1] x, const floating[:, ::1] y, floating[::1] out):
    cdef Py_ssize_t i
    for i in prange(x.shape[0], nogil=True, schedule="static"):
        out[i] = sum_of_row(&x[i, 0], &y[i, 0], x.shape[1])


def prepare(case):
    return sum_of_products[case.ctype]
