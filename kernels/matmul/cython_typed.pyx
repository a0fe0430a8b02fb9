# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython loops over typed memoryviews."""

ALGORITHM = "plain loops"

from cython cimport floating


def matmul(const floating[:, ::1] a, const floating[:, ::1] b, floating[:, ::1] out):
    cdef Py_ssize_t i, j, k, n = out.shape[0]
    cdef floating factor
    for i in range(n):
        for j in range(n):
            out[i, j] = 0
        for k in range(n):
            factor = a[i, k]
            for j in range(n):
                out[i, j] += factor * b[k, j]


def prepare(case):
    return matmul[case.ctype]
