# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython loops over typed memoryviews."""

ALGORITHM = "in order"

from cython cimport floating


def sum_of_products(const floating[:, ::1] x, const floating[:, ::1] y, floating[::1] out):
    cdef floating total
    cdef Py_ssize_t i, j
    for i in range(x.shape[0]):
        total = 0
        for j in range(x.shape[1]):
            total += x[i, j] * y[i, j]
        out[i] = total


def prepare(case):
    return sum_of_products[case.ctype]
