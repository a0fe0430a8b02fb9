# cython: language_level=3, boundscheck=False, wraparound=False
"""LAPACK's gesdd called from Cython through scipy.linalg.cython_lapack, without Python's overhead or checks."""

PARAMETERS = ("threads",)

import numpy as np
from cython cimport floating
from scipy.linalg.cython_lapack cimport dgesdd, sgesdd


cdef int gesdd(int n, floating *a, floating *s, floating *u, floating *vt, floating *work, int lwork,
               int *iwork) noexcept nogil:
    cdef int info = 0
    if floating is double:
        dgesdd(b"A", &n, &n, a, &n, s, u, &n, vt, &n, work, &lwork, iwork, &info)
    else:
        sgesdd(b"A", &n, &n, a, &n, s, u, &n, vt, &n, work, &lwork, iwork, &info)
    return info


def svd(const floating[:, ::1] a, floating[:, ::1] u, floating[::1] s, floating[:, ::1] vt):
    """LAPACK takes rows for columns, so it decomposes the transpose, vt.T diag(s) u.T; both come out as they are."""
    cdef int n = a.shape[0]
    if n == 0:
        return
    cdef floating[:, ::1] copy = np.array(a)  # it is overwritten
    cdef int[::1] iwork = np.empty(8 * n, np.intc)
    cdef floating size
    gesdd(n, &copy[0, 0], &s[0], &vt[0, 0], &u[0, 0], &size, -1, &iwork[0])  # asks how much memory it wants
    cdef floating[::1] work = np.empty(<Py_ssize_t>size, np.asarray(a).dtype)
    if gesdd(n, &copy[0, 0], &s[0], &vt[0, 0], &u[0, 0], &work[0], <int>size, &iwork[0]):
        raise ArithmeticError("gesdd did not converge")


def prepare(case):
    return svd[case.ctype]
