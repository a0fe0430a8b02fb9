# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython loops over typed memoryviews."""

ALGORITHM = "in order"

from cython cimport floating
from libc.math cimport sqrt


def l2norm(const floating[:, ::1] x, floating[::1] out):
    cdef floating total
    cdef Py_ssize_t i, j
    for i in range(x.shape[0]):
        total = 0
        for j in range(x.shape[1]):
            total += x[i, j] * x[i, j]
        out[i] = sqrt(total)


def prepare(case):
    return l2norm[case.ctype]
