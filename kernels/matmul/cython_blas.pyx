# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython calling SciPy's BLAS; rows and columns change places, for Fortran's order of elements."""

PARAMETERS = ("threads",)

from cython cimport floating
from scipy.linalg.cython_blas cimport dgemm, sgemm


def matmul(floating[:, ::1] a, floating[:, ::1] b, floating[:, ::1] out):
    cdef int n = out.shape[0]
    cdef floating one = 1, zero = 0
    if floating is double:
        dgemm("N", "N", &n, &n, &n, &one, &b[0, 0], &n, &a[0, 0], &n, &zero, &out[0, 0], &n)
    else:
        sgemm("N", "N", &n, &n, &n, &one, &b[0, 0], &n, &a[0, 0], &n, &zero, &out[0, 0], &n)


def prepare(case):
    return matmul[case.ctype]
