# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython prange loop: OpenMP threads share the rows."""

FLAGS = ("-fopenmp",)

from cython cimport floating
from cython.parallel cimport prange


cdef floating row_times_vector(const floating[::1] data, const int[::1] indices, int begin, int end,
                               const floating[::1] x) noexcept nogil:
    cdef floating total = 0
    cdef Py_ssize_t k
    for k in range(begin, end):
        total += data[k] * x[indices[k]]
    return total


def spmv(const floating[::1] data, const int[::1] indices, const int[::1] indptr, const floating[::1] x,
         floating[::1] y):
    cdef Py_ssize_t i
    for i in prange(y.shape[0], nogil=True, schedule="static"):
        y[i] = row_times_vector(data, indices, indptr[i], indptr[i + 1], x)


def prepare(case):
    return spmv[case.ctype]
