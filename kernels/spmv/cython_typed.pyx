# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython loops over typed memoryviews."""

from cython cimport floating


def spmv(const floating[::1] data, const int[::1] indices, const int[::1] indptr, const floating[::1] x,
         floating[::1] y):
    cdef Py_ssize_t i, k
    cdef floating total
    for i in range(y.shape[0]):
        total = 0
        for k in range(indptr[i], indptr[i + 1]):
            total += data[k] * x[indices[k]]
        y[i] = total


def prepare(case):
    return spmv[case.ctype]
