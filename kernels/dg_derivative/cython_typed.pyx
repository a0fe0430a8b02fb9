# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython loops over typed memoryviews."""

from cython cimport floating

import numpy as np


def dg_derivative(const floating[:, :, ::1] matrices, const floating[:, ::1] u, const floating[:, :, ::1] factors,
                  floating[:, :, ::1] out, floating[:, ::1] along):
    cdef Py_ssize_t nodes = u.shape[1], e, a, b, c, i
    for e in range(u.shape[0]):
        along[:, :] = 0
        for b in range(nodes):
            for c in range(3):
                for a in range(nodes):
                    along[c, a] += u[e, b] * matrices[b, c, a]
        for i in range(3):
            for a in range(nodes):
                out[e, i, a] = (factors[e, i, 0] * along[0, a] + factors[e, i, 1] * along[1, a]
                                + factors[e, i, 2] * along[2, a])


def prepare(case):
    typed = dg_derivative[case.ctype]

    def run(matrices, u, factors, out):
        typed(matrices, u, factors, out, np.empty(matrices.shape[1:], case.dtype))

    return run
