# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Cython prange loop over cache lines, with non-temporal stores by an inline C function."""

SOURCES = ("vector_multiply_line.h",)
FLAGS = ("-fopenmp",)

from cython cimport floating
from cython.parallel cimport parallel, prange
from libc.stdint cimport uintptr_t

cdef extern from "vector_multiply_line.h" nogil:
    const int LINE
    void multiply_line_float64(const double *x, const double *y, double *out)
    void multiply_line_float32(const float *x, const float *y, float *out)
    void FINISH_STORES()


def multiply(const floating[::1] x, const floating[::1] y, floating[::1] out):
    cdef Py_ssize_t n = out.shape[0], line = LINE // sizeof(floating), i, k
    if n == 0:
        return
    cdef Py_ssize_t head = min(n, -<uintptr_t>&out[0] % LINE // sizeof(floating))
    cdef Py_ssize_t lines = (n - head) // line
    with nogil, parallel():
        # idea: each thread writes whole cache lines by non-temporal stores
        for k in prange(lines, schedule="static"):
            i = head + k * line
            if floating is double:
                multiply_line_float64(&x[i], &y[i], &out[i])
            else:
                multiply_line_float32(&x[i], &y[i], &out[i])
        # end of idea
        FINISH_STORES()
    for i in range(head):
        out[i] = x[i] * y[i]
    for i in range(head + lines * line, n):
        out[i] = x[i] * y[i]


def prepare(case):
    return multiply[case.ctype]
