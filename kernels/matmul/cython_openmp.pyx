# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython prange loop: OpenMP threads share the rows."""

ALGORITHM = "plain loops"
FLAGS = ("-fopenmp",)

from cython cimport floating
from cython.parallel cimport prange


cdef void row_times_matrix(const floating *row, const floating *b, floating *out, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t j, k
    for j in range(n):
        out[j] = 0
    for k in range(n):
        for j in range(n):
            out[j] += row[k] * b[k * n + j]


def matmul(const floating[:, ::1] a, const floating[:, ::1] b, floating[:, ::1] out):
    cdef Py_ssize_t i, n = out.shape[0]
    for i in prange(n, nogil=True, schedule="static"):
        row_times_matrix(&a[i, 0], &b[0, 0], &out[i, 0], n)


def prepare(case):
    return matmul[case.ctype]
