# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython prange loop with OpenMP threads."""

FLAGS = ("-fopenmp",)
VARIANTS = {"fast": ("-ffast-math",)}

from cython cimport floating
from cython.parallel cimport prange
from libc.math cimport cos, cosf, sin, sinf

cdef enum: BLOCK = 512


cdef void trig_of(const floating* x, floating* out, Py_ssize_t n) noexcept nogil:
    """Compute sines and cosines in two loops. In one loop, gcc merges both into sincos, which does not use SIMD."""
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = sin(x[i]) ** 2 if floating is double else sinf(x[i]) ** 2
    for i in range(n):
        out[i] += cos(x[i]) ** 2 if floating is double else cosf(x[i]) ** 2


def trig(const floating[::1] x, floating[::1] out):
    cdef Py_ssize_t n = out.shape[0], first
    for first in prange(0, n, BLOCK, nogil=True, schedule="static"):
        trig_of(&x[first], &out[first], min(BLOCK, n - first))


def prepare(case):
    return trig[case.ctype]
