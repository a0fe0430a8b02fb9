# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython prange loop with OpenMP threads."""

FLAGS = ("-fopenmp",)
VARIANTS = {"fast": ("-ffast-math",)}

from cython cimport floating
from cython.parallel cimport prange
from libc.math cimport exp, expf, fabs, fabsf, log1p, log1pf


cdef floating softplus_of(floating x) noexcept nogil:
    if floating is double:  # resolved at compile time, for each type
        return max(x, 0) + log1p(exp(-fabs(x)))
    return max(x, 0) + log1pf(expf(-fabsf(x)))


def softplus(const floating[::1] x, floating[::1] out):
    cdef Py_ssize_t i
    for i in prange(out.shape[0], nogil=True, schedule="static"):
        out[i] = softplus_of(x[i])


def prepare(case):
    return softplus[case.ctype]
