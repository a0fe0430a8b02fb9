# cython: language_level=3, boundscheck=False, wraparound=False
"""SciPy's BLAS called from Cython. BLAS expects Fortran's order of elements, so a and b are swapped."""

PARAMETERS = ("threads",)

from cython cimport floating
from scipy.linalg.cython_blas cimport dgemm, sgemm


def matmul(const floating[:, ::1] a, const floating[:, ::1] b, floating[:, ::1] out):
    cdef int n = out.shape[0], row = max(1, n)
    cdef floating one = 1, zero = 0
    cdef floating *left = <floating *>&b[0, 0], *right = <floating *>&a[0, 0]
    if floating is double:
        dgemm("N", "N", &n, &n, &n, &one, left, &row, right, &row, &zero, &out[0, 0], &row)
    else:
        sgemm("N", "N", &n, &n, &n, &one, left, &row, right, &row, &zero, &out[0, 0], &row)


def prepare(case):
    return matmul[case.ctype]
