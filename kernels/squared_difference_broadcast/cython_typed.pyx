# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython loops over typed memoryviews."""

from cython cimport floating


def squared_difference(const floating[:, ::1] x, const floating[::1] y, floating[:, ::1] out):
    cdef Py_ssize_t i, j
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = (x[i, j] - y[j]) * (x[i, j] - y[j])


def prepare(case):
    return squared_difference[case.ctype]
