# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Cython prange loop: OpenMP threads share the rows; with fast-math, SIMD lanes share a row's columns."""

FLAGS = ("-fopenmp",)
VARIANTS = {"fast": ("-ffast-math",)}

from cython cimport floating
from cython.parallel cimport prange
from libc.math cimport exp, expf


cdef floating exponential(floating x) noexcept nogil:
    if floating is double:  # resolved at compile time, for each type
        return exp(x)
    return expf(x)


# idea: subtract a row's maximum before exp, so that nothing overflows
cdef void softmax_of_row(const floating *x, floating *out, Py_ssize_t columns) noexcept nogil:
    cdef floating top = x[0], total = 0
    cdef Py_ssize_t j
    for j in range(1, columns):
        top = max(top, x[j])
    for j in range(columns):
        out[j] = exponential(x[j] - top)
        total += out[j]
    for j in range(columns):
        out[j] /= total
# end of idea


def softmax(const floating[:, ::1] x, floating[:, ::1] out):
    cdef Py_ssize_t i
    for i in prange(x.shape[0], nogil=True, schedule="static"):
        softmax_of_row(&x[i, 0], &out[i, 0], x.shape[1])


def prepare(case):
    return softmax[case.ctype]
